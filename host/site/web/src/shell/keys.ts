/** Keyboard shortcuts that hold in every view; a view adds its own to SHORTCUTS so that the help shows them. */
import { useEffect } from "preact/hooks";
import type { TrackRef } from "../data";
import { href } from "../routes";
import { go } from "../router";
import { switchTheme } from "./theme";
import { viewsOf } from "./views";

export interface Shortcut { keys: string[]; what: string }

/** By where they hold. */
export const SHORTCUTS: { where: string; keys: Shortcut[] }[] = [
  {
    where: "Everywhere",
    keys: [
      { keys: ["/"], what: "search entries and scenarios" },
      { keys: ["1", "…", "4"], what: "the views of this benchmark" },
      { keys: ["t"], what: "light, dark, or as the system says" },
      { keys: ["?"], what: "this help" },
    ],
  },
  {
    where: "Scenario map",
    keys: [
      { keys: ["←", "→", "↑", "↓"], what: "from cell to cell" },
      { keys: ["Page Up", "Page Down"], what: "twenty scenarios" },
      { keys: ["Home", "End"], what: "first and last column" },
      { keys: ["Enter"], what: "open the rollout's trace" },
    ],
  },
];

/** Whether keys belong to what has the focus. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return event.ctrlKey || event.metaKey || event.altKey || !!target?.closest?.("input, select, textarea, dialog, [contenteditable]");
}

export function useShortcuts(track: TrackRef | undefined, help: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || typing(event)) return;
      const view = track && viewsOf(track)[Number(event.key) - 1];
      if (event.key === "?") help();
      else if (event.key === "/") document.getElementById("search")?.focus();
      else if (event.key === "t") switchTheme();
      else if (view) go(href(track.id, view.id));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}
