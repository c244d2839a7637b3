/** One scenario under every entry and seed. */
import { useMemo } from "preact/hooks";
import type { Scenarios, Units } from "../data";
import { Key } from "../chart/Mark";
import { slots } from "../chart/marks";
import { LOOKS } from "../outcomes";
import { AllLoaded, Loaded } from "../parts/Loaded";
import { Select } from "../parts/Select";
import { modelOptions, scopeOf, stageTitle } from "../board/scope";
import { entryHref, traceHref } from "../routes";
import { setQuery } from "../router";
import { NotFound } from "../shell/NotFound";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from "../board";
import { gridOf, outcomesOf } from "./grid";
import { Legend } from "./Legend";

export function ScenarioPage(props: BoardProps & { id: string }) {
  const { track, board, id } = props;
  useTitle(id);
  const folder = `data/${track.id}`;
  return (
    <Loaded<Scenarios> name={`${folder}/scenarios`} what="scenarios">
      {(scenarios) => scenarios.ids.includes(id) ? (
        <AllLoaded<Units> names={board.entries.map((entry) => `${folder}/${entry.id}/units`)} what="rollouts">
          {(units) => <Shown {...props} scenarios={scenarios} units={units} />}
        </AllLoaded>
      ) : <NotFound what={`This benchmark has no scenario “${id}”.`} />}
    </Loaded>
  );
}

function Shown({ track, board, route, id, scenarios, units }: BoardProps & { id: string; scenarios: Scenarios; units: Units[] }) {
  const scope = scopeOf(board, route);
  const model = board.models.findIndex(({ name }) => name === scope.model);
  const scenario = scenarios.ids.indexOf(id);
  const grid = useMemo(() => gridOf(board.entries, units, model, scenarios.ids.length), [board, units, model, scenarios]);
  const looks = slots(board.entries.map(({ name }) => name));
  const rows = outcomesOf(grid, scenario);
  const facts: [string, string | undefined][] = [
    ["Stage", stageTitle(board, scenarios.stages[scenarios.stage[scenario] ?? -1] ?? "")],
    ["Domain", scenarios.domains[scenarios.domain[scenario] ?? -1]],
    ["Family", scenarios.families[scenarios.family[scenario] ?? -1]],
    ["Topology", scenarios.topologies[scenarios.topology[scenario] ?? -1]],
    ["Memory", scenarios.memories[scenarios.memory[scenario] ?? -1]],
  ];
  return (
    <>
      <h1 class="code">{id}</h1>
      <dl class="facts">{facts.map(([name, value]) => value ? <div key={name}><dt>{name}</dt><dd>{value}</dd></div> : null)}</dl>
      {board.models.length > 1 && <div class="fields"><Select label="Model" value={scope.model} options={modelOptions(board)} onChange={(value) => setQuery({ model: value })} /></div>}
      <Legend />
      <div class="scroll" tabIndex={0} role="region" aria-label="Outcomes by entry and seed">
        <table>
          <caption class="unseen">What became of this scenario, by entry and seed; each leads to its trace</caption>
          <thead><tr><th scope="col">Entry</th>{grid.seeds.map((seed) => <th key={seed} scope="col">seed {seed}</th>)}</tr></thead>
          <tbody>
            {board.entries.map((entry, index) => {
              const slot = looks[index];
              return (
                <tr key={entry.id}>
                  <th scope="row"><span class="name">{slot && <Key slot={slot} />}<a href={entryHref(track.id, entry.id)}>{entry.name}</a></span></th>
                  {grid.seeds.map((seed, at) => {
                    const look = LOOKS[rows[index]?.[at] ?? -1];
                    const unit = grid.units[index]?.[scenario * grid.seeds.length + at] ?? -1;
                    if (!look) return <td key={seed} class="quiet">not run</td>;
                    return <td key={seed}><a class="outcome" href={traceHref(track.id, entry.id, unit)}><span class={`swatch o-${look.outcome}`} aria-hidden="true">{look.letter}</span><span class="label">{look.label}</span></a></td>;
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
