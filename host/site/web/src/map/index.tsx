/** Every rollout of a track at a glance: what became of each scenario under each entry and seed. */
import { useMemo } from "preact/hooks";
import type { Board, Scenarios, TrackRef, Units } from "../data";
import { count, plural } from "../format";
import { LOOKS } from "../outcomes";
import { AllLoaded, Loaded } from "../parts/Loaded";
import { Choice, Filter, Select } from "../parts/Select";
import { modelOptions, scopeOf, stageTitle } from "../board/scope";
import { href, type Route } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from "../board";
import { MapCanvas } from "./Canvas";
import { GROUPINGS, gridOf, rowsOf, shows, undefended, type Grid, type Grouping, type Show } from "./grid";
import { Legend } from "./Legend";

export function ScenarioMap({ track, board, route }: BoardProps) {
  useTitle(`${track.title}: scenario map`);
  const folder = `data/${track.id}`;
  return (
    <>
      <h1>Scenario map</h1>
      <p class="lead">One cell a rollout: scenarios down, entries across, each with its seeds. A row of one colour is a scenario that no policy changes; stripes within an entry are noise of the seeds.</p>
      <Loaded<Scenarios> name={`${folder}/scenarios`} what="scenarios">
        {(scenarios) => (
          <AllLoaded<Units> names={board.entries.map(({ id }) => `${folder}/${id}/units`)} what="rollouts">
            {(units) => <Shown track={track} board={board} route={route} scenarios={scenarios} units={units} />}
          </AllLoaded>
        )}
      </Loaded>
    </>
  );
}

function Shown({ track, board, route, scenarios, units }: { track: TrackRef; board: Board; route: Route; scenarios: Scenarios; units: Units[] }) {
  const { query } = route;
  const scope = scopeOf(board, route);
  const model = board.models.findIndex(({ name }) => name === scope.model);
  const grouping = GROUPINGS.find((one) => one === query.group) ?? "stage";
  const show: Show = (["fails", "flips", "live"] as const).find((one) => one === query.show) ?? "";
  const grid = useMemo(() => gridOf(board.entries, units, model, scenarios.ids.length), [board, units, model, scenarios]);
  const text = (query.q ?? "").toLowerCase();
  const list = useMemo(() => scenarios.ids.flatMap((id, scenario) => {
    const domain = scenarios.domains[scenarios.domain[scenario] ?? -1];
    const stage = scenarios.stages[scenarios.stage[scenario] ?? -1];
    const fits = (!scope.domain || domain === scope.domain) && (!query.stage || stage === query.stage) && id.toLowerCase().includes(text) && shows(grid, scenario, show);
    return fits ? [scenario] : [];
  }), [scenarios, grid, scope.domain, query.stage, text, show]);
  const rows = useMemo(() => rowsOf(scenarios, list, grouping, (name) => (grouping === "stage" ? stageTitle(board, name) : name)), [scenarios, list, grouping, board]);
  const shown = [{ value: "", label: "all" }, { value: "fails", label: "always fails" }, { value: "flips", label: "flips across seeds" }];
  if (undefended(board.entries) >= 0) shown.push({ value: "live", label: "harm only without a defence" });
  return (
    <>
      <div class="fields">
        <Select label="Show" value={show} options={shown} onChange={(value) => setQuery({ show: value })} />
        <Select label="Group by" value={grouping} options={GROUPINGS.map((one) => ({ value: one, label: one === "memory" ? "memory mode" : one }))} onChange={(group: string) => setQuery({ group: (group as Grouping) === "stage" ? null : group })} />
        <Select label="Stage" value={query.stage ?? ""} options={[{ value: "", label: "all" }, ...board.stages.map(({ id, title }) => ({ value: id, label: title }))]} onChange={(stage) => setQuery({ stage })} />
        <Select label="Domain" value={scope.domain ?? ""} options={[{ value: "", label: "all" }, ...board.domains.map((value) => ({ value, label: value }))]} onChange={(domain) => setQuery({ domain })} />
        {board.models.length > 1 && <Select label="Model" value={scope.model} options={modelOptions(board)} onChange={(value) => setQuery({ model: value })} />}
        <Filter label="Scenario" value={query.q ?? ""} onChange={(q) => setQuery({ q })} />
        <Choice label="Cells" value={query.size === "large" ? "large" : ""} options={[{ value: "", label: "small" }, { value: "large", label: "with letters" }]} onChange={(size) => setQuery({ size })} />
      </div>
      <Legend />
      <p role="status">{plural(list.length, "scenario")} of {count(scenarios.ids.length)}, {plural(grid.entries.length, "entry", "entries")}, {plural(grid.seeds.length, "seed")}.</p>
      {list.length > 0 ? <MapCanvas track={track.id} grid={grid} rows={rows} scenarios={scenarios} large={query.size === "large"} start={query.cell} /> : <p class="empty">No scenario is like that.</p>}
      <Totals track={track.id} grid={grid} list={list} />
    </>
  );
}

/** The margins of the map, and its alternative for who cannot see it. */
function Totals({ track, grid, list }: { track: string; grid: Grid; list: readonly number[] }) {
  const seeds = grid.seeds.length;
  const rows = useMemo(() => grid.outcomes.map((outcomes) => {
    const sums = LOOKS.map(() => 0);
    for (const scenario of list) {
      for (let seed = 0; seed < seeds; seed++) {
        const outcome = outcomes[scenario * seeds + seed];
        if (outcome !== undefined && outcome < sums.length) sums[outcome] = (sums[outcome] ?? 0) + 1;
      }
    }
    return sums;
  }), [grid, list]);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Rollouts by outcome">
      <table>
        <caption class="unseen">Rollouts of the scenarios above, by entry and outcome</caption>
        <thead><tr><th scope="col">Entry</th>{LOOKS.map(({ outcome, label, letter }) => <th key={outcome} scope="col" class="n"><span class={`swatch o-${outcome}`} aria-hidden="true">{letter}</span> {label}</th>)}<th scope="col" class="n">all</th></tr></thead>
        <tbody>
          {grid.entries.map((entry, index) => (
            <tr key={entry.id}>
              <th scope="row">{entry.name}</th>
              {LOOKS.map(({ outcome }, at) => {
                const sum = rows[index]?.[at] ?? 0;
                return <td key={outcome} class={`n ${sum ? "" : "quiet"}`}>{sum ? <a href={href(track, "traces", [entry.id], { outcome })}>{count(sum)}</a> : 0}</td>;
              })}
              <td class="n">{count((rows[index] ?? []).reduce((a, b) => a + b, 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

