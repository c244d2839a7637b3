/** A cell's rollouts: one for each history, filtered by side, transition and what became of it. */
import { useMemo } from "preact/hooks";
import { FIRST_ACTIONS, RETENTIONS, type AuthorityEntry, type AuthorityUnits, type Scenarios } from "../data";
import { TraceList, type TraceRow } from "../entry/TraceList";
import { Loaded } from "../parts/Loaded";
import { Filter, Select } from "../parts/Select";
import { entryHref } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";

const SIDES = ["H−", "H+"];

export function AuthorityTraces({ track, board, route, entry }: AuthorityProps & { entry: AuthorityEntry }) {
  useTitle(`Traces of ${entry.name}`);
  return (
    <>
      <h1>Traces of <a href={entryHref(track.id, entry.id)}>{entry.name}</a></h1>
      <Loaded<Scenarios> name={`data/${track.id}/scenarios`} what="histories">
        {(scenarios) => (
          <Loaded<AuthorityUnits> name={`data/${track.id}/${entry.id}/units`} what="rollouts">
            {(units) => <Shown track={track} board={board} route={route} entry={entry} scenarios={scenarios} units={units} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function Shown({ track, board, route, entry, scenarios, units }: AuthorityProps & { entry: AuthorityEntry; scenarios: Scenarios; units: AuthorityUnits }) {
  const { stage = "", side = "", transition = "", became = "", q = "" } = route.query;
  const rows = useMemo(() => units.scenario.flatMap((scenario, unit): TraceRow[] => {
    const id = scenarios.ids[scenario] ?? "";
    const at = scenarios.stages[scenarios.stage[scenario] ?? -1] ?? "";
    const by = units.transitions[units.transition[unit] ?? -1] ?? "";
    const kept = RETENTIONS[units.retention[unit] ?? -1];
    const act = FIRST_ACTIONS[units.action[unit] ?? -1];
    const fits = (!stage || at === stage) && (!side || String(units.side[unit]) === side) && (!transition || by === transition)
      && (!became || kept === became || act === became) && id.toLowerCase().includes(q.toLowerCase());
    if (!fits) return [];
    const words = [SIDES[units.side[unit] ?? -1], by, kept && `memory: ${kept}`, act && `first action: ${act}`, units.faulted[unit] ? "a fault" : "", `seed ${units.seed[unit]}`];
    return [{ unit, title: id, facts: words.filter((word): word is string => !!word) }];
  }), [scenarios, units, stage, side, transition, became, q]);
  const seen = [...new Set([...units.retention.map((index) => RETENTIONS[index ?? -1]), ...units.action.map((index) => FIRST_ACTIONS[index ?? -1])])].filter((one) => one !== undefined);
  return (
    <>
      <div class="fields">
        {board.stages.length > 1 && <Select label="Stage" value={stage} options={all(board.stages)} onChange={(value) => setQuery({ stage: value })} />}
        <Select label="Side" value={side} options={[{ value: "", label: "both" }, { value: "0", label: "H−, without authority" }, { value: "1", label: "H+, with authority" }]} onChange={(value) => setQuery({ side: value })} />
        <Select label="Transition" value={transition} options={all(units.transitions)} onChange={(value) => setQuery({ transition: value })} />
        <Select label="What became of it" value={became} options={all(seen)} onChange={(value) => setQuery({ became: value })} />
        <Filter label="History" value={q} onChange={(value) => setQuery({ q: value })} />
      </div>
      <TraceList track={track.id} entry={entry.id} rows={rows} of={units.scenario.length} />
    </>
  );
}

function all(values: readonly string[]) {
  return [{ value: "", label: "all" }, ...values.map((value) => ({ value, label: value }))];
}
