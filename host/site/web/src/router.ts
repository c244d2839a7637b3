/** The address as state: views read it with `useRoute` and write filters and selections into it with `setQuery`. */
import { useEffect, useState } from "preact/hooks";
import { href, parse, type Query, type Route } from "./routes";

const listeners = new Set<() => void>();
let current = parse(location.hash);

addEventListener("hashchange", () => {
  current = parse(location.hash);
  for (const listener of listeners) listener();
});

/** The route that is shown; the component renders again when it changes. */
export function useRoute(): Route {
  const [route, set] = useState(current);
  useEffect(() => {
    const listener = () => set(current);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return route;
}

/** The route now, for handlers. */
export function route(): Route {
  return current;
}

/** Goes to an address, as following a link would. */
export function go(address: string): void {
  location.hash = address;
}

/**
 * Changes what the address says of filters and selections, and keeps the rest. The browser's history gets no step for it, so that
 * "back" leaves the view.
 */
export function setQuery(changes: Query): void {
  const address = href(current.track, current.view, current.args, { ...current.query, ...changes });
  if (address === location.hash) return;
  history.replaceState(history.state, "", address);
  current = parse(address);
  for (const listener of listeners) listener();
}
