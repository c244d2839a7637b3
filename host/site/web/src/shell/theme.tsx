/** Light or dark: the reader's system decides, or the switch; the choice is kept where the browser lets a page keep anything. */
import { useEffect, useState } from "preact/hooks";

type Theme = "auto" | "light" | "dark";
const KEY = "weir-theme";
const NEXT: Record<Theme, Theme> = { auto: "dark", dark: "light", light: "auto" };

function remembered(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event("weir-theme"));
}

let theme = remembered();
apply(theme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("weir-theme")));

/** Goes to the next theme. Pictures that are drawn by hand listen to `weir-theme`. */
export function switchTheme(): Theme {
  theme = NEXT[theme];
  try {
    if (theme === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is closed.
  }
  apply(theme);
  return theme;
}

export function ThemeSwitch() {
  const [shown, show] = useState(theme);
  useEffect(() => {
    const changed = () => show(theme);
    addEventListener("weir-theme", changed);
    return () => removeEventListener("weir-theme", changed);
  }, []);
  return (
    <button type="button" class="icon wide" title="Light or dark (t)" aria-label={`Theme: ${shown}`} onClick={switchTheme}>
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true"><circle cx="8" cy="8" r="6.5" /><path class="half" d="M8 1.5a6.5 6.5 0 0 1 0 13z" /></svg>
      <span>{shown}</span>
    </button>
  );
}
