/** An entry's rollouts, each with its trace. */
import { useMemo } from "preact/hooks";
import { OUTCOMES, type Entry, type Scenarios, type Units } from "../data";
import { LOOKS } from "../outcomes";
import { Loaded } from "../parts/Loaded";
import { Filter, Select } from "../parts/Select";
import { modelOptions } from "../board/scope";
import { entryHref } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from "../board";
import { TraceList, type TraceRow } from "./TraceList";

export function Traces({ track, board, route, entry }: BoardProps & { entry: Entry }) {
  useTitle(`Traces of ${entry.name}`);
  return (
    <>
      <h1>Traces of <a href={entryHref(track.id, entry.id)}>{entry.name}</a></h1>
      <Loaded<Scenarios> name={`data/${track.id}/scenarios`} what="scenarios">
        {(scenarios) => (
          <Loaded<Units> name={`data/${track.id}/${entry.id}/units`} what="rollouts">
            {(units) => <Shown track={track} board={board} route={route} entry={entry} scenarios={scenarios} units={units} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function Shown({ track, board, route, entry, scenarios, units }: BoardProps & { entry: Entry; scenarios: Scenarios; units: Units }) {
  const { stage = "", outcome = "", q = "", model = "" } = route.query;
  const rows = useMemo(() => {
    const text = q.toLowerCase();
    return units.scenario.flatMap((scenario, unit): TraceRow[] => {
      const id = scenarios.ids[scenario] ?? "";
      const found = OUTCOMES[units.outcome[unit] ?? -1];
      const at = scenarios.stages[scenarios.stage[scenario] ?? -1] ?? "";
      const actor = board.models[units.model[unit] ?? -1]?.name ?? "";
      if ((stage && at !== stage) || (outcome && found !== outcome) || (model && actor !== model) || (text && !id.toLowerCase().includes(text))) return [];
      const lost = Object.hasOwn(units.lost, unit) ? Object.keys(units.lost[unit] ?? {}) : [];
      return [{
        unit,
        title: id,
        outcome: found,
        facts: [`seed ${units.seed[unit]}`, board.models.length > 1 ? actor : "", at, lost.length ? `stopped by ${lost.join(", ")}` : ""].filter(Boolean),
      }];
    });
  }, [scenarios, units, board, stage, outcome, q, model]);
  return (
    <>
      <div class="fields">
        <Select label="Stage" value={stage} options={[{ value: "", label: "all" }, ...board.stages.map(({ id, title }) => ({ value: id, label: title }))]} onChange={(value) => setQuery({ stage: value })} />
        <Select label="Outcome" value={outcome} options={[{ value: "", label: "all" }, ...LOOKS.map((look) => ({ value: look.outcome, label: look.label }))]} onChange={(value) => setQuery({ outcome: value })} />
        {board.models.length > 1 && <Select label="Model" value={model} options={[{ value: "", label: "all" }, ...modelOptions(board)]} onChange={(value) => setQuery({ model: value })} />}
        <Filter label="Scenario" value={q} onChange={(value) => setQuery({ q: value })} />
      </div>
      <TraceList track={track.id} entry={entry.id} rows={rows} of={units.scenario.length} />
    </>
  );
}
