/** A button that copies a text, and says that it did. */
import { useEffect, useRef, useState } from "preact/hooks";

export function Copy({ text, label = "Copy", what }: { text: string; label?: string; what?: string }) {
  const [said, say] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    say((await toClipboard(text)) ? "Copied" : "Select and copy by hand");
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => say(""), 2500);
  };
  return (
    <>
      <button type="button" class="copy" onClick={copy} aria-label={what ? `${label} ${what}` : undefined}>{said || label}</button>
      <span class="unseen" role="status">{said}</span>
    </>
  );
}

/** A page opened from disk may have no clipboard; selecting a field is what works there. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
