/**
 * Addresses of the site's views. Everything stands behind the `#`, so that an address also works for a page opened from disk:
 * `#/TRACK/VIEW/ARGUMENT...?KEY=VALUE...`, where the query holds filters and selections.
 */

/** A view's address, taken apart. */
export interface Route {
  /** Null on the site's front page, which shows the first track. */
  track: string | null;
  /** The empty name is the first view of a track. */
  view: string;
  args: string[];
  query: Record<string, string>;
}

/** Values that belong into an address; null and "" take a key out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

/** Takes an address apart. What cannot be decoded stays as it is. */
export function parse(hash: string): Route {
  const [path = "", search = ""] = split(hash.replace(/^#?\/?/, ""), "?");
  const [track = "", view = "", ...args] = path.split("/").map(decode);
  return { track: track || null, view, args: args.filter((arg) => arg !== ""), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The address of a view. */
export function href(track: string | null, view = "", args: (string | number)[] = [], query: Query = {}): string {
  const path = [track ?? "", view, ...args.map(String)].map(encodeURIComponent).join("/").replace(/\/+$/, "");
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "" || value === false) continue;
    search.set(key, value === true ? "1" : String(value));
  }
  const text = search.toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

/** One rollout's trace; `event` is the line to select. */
export function traceHref(track: string, entry: string, unit: number, event?: number | null): string {
  return href(track, "trace", [entry, unit], { event });
}

/** Two traces, from their first difference on. */
export function diffHref(track: string, entryA: string, unitA: number, entryB: string, unitB: number): string {
  return href(track, "diff", [entryA, unitA, entryB, unitB]);
}

/** An entry's page. */
export function entryHref(track: string, entry: string): string {
  return href(track, "entry", [entry]);
}

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
