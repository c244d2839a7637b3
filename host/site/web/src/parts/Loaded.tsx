/** Data files on their way into a view: what is loading, and in words what could not be loaded. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { load } from "../load";

type State<T> = { name: string; value: T } | { name: string; failed: string } | null;

/** Several data files at once, in the order of their names; null while they load. */
function useFiles<T>(names: readonly string[]): [state: State<T[]>, again: () => void] {
  const name = names.join("\n");
  const [state, set] = useState<State<T[]>>(null);
  const [round, next] = useState(0);
  useEffect(() => {
    let current = true;
    Promise.all(names.map((one) => load<T>(one))).then(
      (value) => current && set({ name, value }),
      (error: unknown) => current && set({ name, failed: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      current = false;
    };
  }, [name, round]);
  // What belongs to other names is not shown.
  return [state?.name === name ? state : null, () => { set(null); next(round + 1); }];
}

/** Shows its children once the file is there. */
export function Loaded<T>({ name, what, children }: { name: string; what: string; children: (value: T) => ComponentChildren }) {
  return <AllLoaded<T> names={[name]} what={what}>{([value]) => children(value as T)}</AllLoaded>;
}

/** Shows its children once all files are there. */
export function AllLoaded<T>({ names, what, children }: {
  names: readonly string[];
  what: string;
  children: (values: T[]) => ComponentChildren;
}) {
  const [state, again] = useFiles<T>(names);
  if (!state) return <p class="loading" role="status">Loading {what} …</p>;
  if ("failed" in state) {
    return (
      <div class="failed" role="alert">
        <p><strong>This site's {what} could not be loaded.</strong></p>
        <p>{state.failed}. The files beside this page may be incomplete, or the connection was lost.</p>
        <button type="button" onClick={again}>Try again</button>
      </div>
    );
  }
  return <>{children(state.value)}</>;
}
