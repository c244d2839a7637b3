/** Keys that step through a list, wherever the focus is but in a field. */
import { useEffect, useRef } from "preact/hooks";
import { SHORTCUTS, typing } from "../shell/keys";

SHORTCUTS.push(
  {
    where: "Trace",
    keys: [
      { keys: ["j", "k", "↓", "↑"], what: "next and previous event" },
      { keys: ["Home", "End"], what: "first and last event" },
      { keys: ["←", "→"], what: "in the graph: along an edge" },
      { keys: ["Enter"], what: "to the event's details" },
      { keys: ["f"], what: "search the events" },
      { keys: ["Escape"], what: "back to the whole rollout" },
    ],
  },
  { where: "Two traces", keys: [{ keys: ["n", "p"], what: "next and previous difference" }] },
);

/** Calls the action of a key. Keys that scroll belong to what has the focus where that scrolls by itself. */
export function useKeys(actions: Record<string, () => void>): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || typing(event)) return;
      const scrolls = /^(Arrow|Home|End|Page)/.test(event.key) || event.key === "Enter";
      const target = event.target as HTMLElement | null;
      if (scrolls && target?.closest?.(".trace-details, .trace-head, header, footer, nav, button, summary")) return;
      const action = current.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
