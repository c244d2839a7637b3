/** The views of an AuthMem-Bench suite, by address. */
import type { AuthorityBoard, TrackRef } from "../data";
import { NotFound } from "../shell/NotFound";
import type { Route } from "../routes";
import { Acting } from "./Acting";
import { AuthorityEntries } from "./Entries";
import { AuthorityEntryView } from "./EntryView";
import { Pipeline } from "./Pipeline";
import { AuthorityTraces } from "./Traces";
import { Writing } from "./Writing";

export interface AuthorityProps { track: TrackRef; board: AuthorityBoard; route: Route }

export function AuthorityView(props: AuthorityProps) {
  const { board, route } = props;
  const [first] = route.args;
  switch (route.view) {
    case "": return <Writing {...props} />;
    case "acting": return <Acting {...props} />;
    case "pipeline": return <Pipeline {...props} />;
    case "entries": return <AuthorityEntries {...props} />;
    case "scenario": return <AuthorityEntries {...props} scenario={first} />;
    case "entry":
    case "traces": {
      const entry = board.entries.find(({ id }) => id === first);
      if (!entry) return <NotFound what={`This benchmark has no entry “${first ?? ""}”.`} />;
      return route.view === "entry" ? <AuthorityEntryView {...props} entry={entry} /> : <AuthorityTraces {...props} entry={entry} />;
    }
    default: return <NotFound what={`There is no view “${route.view}”.`} />;
  }
}
