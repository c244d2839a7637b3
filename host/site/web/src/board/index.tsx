/** The views of a containment suite, by address. */
import type { Board, TrackRef } from "../data";
import { Compare } from "../compare";
import { EntryView } from "../entry";
import { Traces } from "../entry/Traces";
import { ScenarioMap } from "../map";
import { ScenarioPage } from "../map/ScenarioPage";
import { NotFound } from "../shell/NotFound";
import type { Route } from "../routes";
import { Ranking } from "./Ranking";
import { TradeOff } from "./TradeOff";

export interface BoardProps { track: TrackRef; board: Board; route: Route }

export function BoardView(props: BoardProps) {
  const { board, route } = props;
  const [first] = route.args;
  switch (route.view) {
    case "": return <TradeOff {...props} />;
    case "table": return <Ranking {...props} />;
    case "compare": return <Compare {...props} />;
    case "map": return <ScenarioMap {...props} />;
    case "scenario": return first === undefined ? <NotFound what="No scenario is named." /> : <ScenarioPage {...props} id={first} />;
    case "entry":
    case "traces": {
      const entry = board.entries.find(({ id }) => id === first);
      if (!entry) return <NotFound what={`This benchmark has no entry “${first ?? ""}”.`} />;
      return route.view === "entry" ? <EntryView {...props} entry={entry} /> : <Traces {...props} entry={entry} />;
    }
    default: return <NotFound what={`There is no view “${route.view}”.`} />;
  }
}
