/** The scenarios in which A and B part, with links to both traces and to their first difference. */
import { useMemo } from "preact/hooks";
import type { Board, Entry, Metric, Scenarios, TrackRef, Units, Values } from "../data";
import { plural } from "../format";
import { outcomeLabel } from "../outcomes";
import { AllLoaded, Loaded } from "../parts/Loaded";
import { Select } from "../parts/Select";
import { diffHref, href, traceHref, type Route } from "../routes";
import { setQuery } from "../router";
import { metricOf, stageTitle } from "../board/scope";
import { matched, tally, valuesOf, type Flip } from "./match";

/** Rows at once. */
const PAGE = 60;

interface Props { track: TrackRef; board: Board; route: Route; a: Entry; b: Entry; model: number }

export function Discordants(props: Props) {
  const { track, a, b } = props;
  const folder = `data/${track.id}`;
  return (
    <section aria-labelledby="discordant">
      <h2 id="discordant">Discordant scenarios</h2>
      <Loaded<Scenarios> name={`${folder}/scenarios`} what="scenarios">
        {(scenarios) => (
          <AllLoaded<Units> names={[`${folder}/${a.id}/units`, `${folder}/${b.id}/units`]} what="rollouts">
            {([left, right]) => (
              <AllLoaded<Values> names={[`${folder}/${a.id}/values`, `${folder}/${b.id}/values`]} what="measured values">
                {([from, to]) => left && right && from && to ? <List {...props} scenarios={scenarios} units={[left, right]} values={[from, to]} /> : null}
              </AllLoaded>
            )}
          </AllLoaded>
        )}
      </Loaded>
    </section>
  );
}

function List({ track, board, route, a, b, model, scenarios, units, values }: Props & { scenarios: Scenarios; units: [Units, Units]; values: [Values, Values] }) {
  const stage = board.stages.find(({ id }) => id === route.query.stage) ?? board.stages[0];
  const metrics = board.metrics.filter(({ name, stages }) => Object.hasOwn(values[0], name) && (!stages.length || !stage || stages.includes(stage.id)));
  const metric: Metric = metrics.find(({ name }) => name === route.query.metric) ?? metricOf(board, stage?.primary ?? "");
  const pairs = useMemo(() => matched(units[0], units[1], model), [units[0], units[1], model]);
  const sum = useMemo(
    () => tally(pairs, scenarios, stage ? scenarios.stages.indexOf(stage.id) : null, metric, valuesOf(values[0], metric.name), valuesOf(values[1], metric.name)),
    [pairs, scenarios, stage, metric.name, values[0], values[1]],
  );
  const least = route.query.only ?? "";
  const list = sum.discordant.filter((one) => least === "" || (least === "worse" ? one.worse > 0 : one.better > 0));
  const shown = Math.min(list.length, Number(route.query.rows) || PAGE);
  return (
    <>
      <div class="fields">
        <Select label="Stage" value={stage?.id ?? ""} options={board.stages.map(({ id, title }) => ({ value: id, label: title }))} onChange={(value) => setQuery({ stage: value, metric: null, rows: null })} />
        <Select label="Metric" value={metric.name} options={metrics.map(({ name, title }) => ({ value: name, label: title }))} onChange={(value) => setQuery({ metric: value, rows: null })} />
        {metric.better !== "neither" && <Select label="Where" value={least} options={[{ value: "", label: "they differ" }, { value: "better", label: "B is better" }, { value: "worse", label: "B is worse" }]} onChange={(only) => setQuery({ only, rows: null })} />}
      </div>
      <p role="status">
        {plural(list.length, "scenario")} with a difference in {metric.title}, of {plural(sum.matched, "matched rollout")}
        {metric.better !== "neither" && <>: B wins {sum.win}, ties {sum.tie}, loses {sum.loss}</>}. The most flips come first.
      </p>
      {list.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Discordant scenarios">
          <table class="cards">
            <thead><tr><th scope="col">Scenario</th><th scope="col" class="n">Flips</th><th scope="col">Domain</th><th scope="col">Family</th><th scope="col">Topology</th><th scope="col">Rollouts that differ: A, B and their first difference</th></tr></thead>
            <tbody>
              {list.slice(0, shown).map((one) => (
                <tr key={one.scenario}>
                  <th scope="row"><a href={href(track.id, "scenario", [scenarios.ids[one.scenario] ?? ""])}>{scenarios.ids[one.scenario]}</a></th>
                  <td class="n" data-label="Flips">{one.flips.length} of {one.seeds}</td>
                  <td data-label="Domain">{scenarios.domains[scenarios.domain[one.scenario] ?? -1]}</td>
                  <td data-label="Family">{scenarios.families[scenarios.family[one.scenario] ?? -1]}</td>
                  <td data-label="Topology">{scenarios.topologies[scenarios.topology[one.scenario] ?? -1]}</td>
                  <td data-label="Rollouts"><ul class="flips">{one.flips.map((flip) => <Rollout key={flip.seed} track={track.id} a={a} b={b} units={units} flip={flip} />)}</ul></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown < list.length && <button type="button" onClick={() => setQuery({ rows: shown + PAGE })}>Show {Math.min(PAGE, list.length - shown)} more of {list.length}</button>}
      {stage && !list.length && <p class="empty">In {stageTitle(board, stage.id)}, A and B agree on every matched rollout by this metric.</p>}
    </>
  );
}

function Rollout({ track, a, b, units, flip }: { track: string; a: Entry; b: Entry; units: [Units, Units]; flip: Flip }) {
  const outcome = `A: ${outcomeLabel(units[0].outcome[flip.a])}; B: ${outcomeLabel(units[1].outcome[flip.b])}`;
  return (
    <li title={outcome}>
      <span>seed {flip.seed}</span>
      <a href={traceHref(track, a.id, flip.a)} title={`Trace of A, seed ${flip.seed}`}>A <b>{value(flip.from)}</b></a>
      <a href={traceHref(track, b.id, flip.b)} title={`Trace of B, seed ${flip.seed}`}>B <b class={flip.sign > 0 ? "good" : flip.sign < 0 ? "bad" : ""}>{value(flip.to)}</b></a>
      <a href={diffHref(track, a.id, flip.a, b.id, flip.b)} title={`First difference of the two traces, seed ${flip.seed}`}>diff</a>
    </li>
  );
}

function value(number: number | null): string {
  return number === null ? "N/A" : Number.isInteger(number) ? String(number) : number.toFixed(3);
}
