/** How far an entry was checked, in words; the colour only repeats it. */
import type { Badge as Kind } from "../data";

const WHAT: Record<Kind, string> = {
  "verified": "re-executed by the maintainers of this leaderboard, and equal byte for byte",
  "reproducible": "its files and its signature hold; anybody can execute it again",
  "self-reported": "nobody but its authors has checked it",
};

export function Badge({ kind }: { kind: Kind }) {
  return <span class={`badge ${kind}`} title={WHAT[kind]}>{kind}</span>;
}

/** What a badge says, for a page with room. */
export function badgeMeaning(kind: Kind): string {
  return WHAT[kind];
}
