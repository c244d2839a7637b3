/** Paired differences by stage: delta, 2x2, win, tie and loss, the exact test. */
import type { Board, Pair, PairStage } from "../data";
import { count, interval, NOT_APPLICABLE, pValue, rate, signed } from "../format";
import { metricOf, stageTitle } from "../board/scope";

export function Stages({ board, pair, fixed }: { board: Board; pair: Pair; fixed: boolean }) {
  const spans = pair.stages.flatMap(({ delta }) => [delta.low, delta.high, delta.value]).filter((value): value is number => value !== null);
  const reach = Math.max(0.05, ...spans.map(Math.abs));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Differences by stage">
      <table class="stages">
        <caption class="unseen">Paired differences, B − A, by stage and metric</caption>
        <thead>
          <tr>
            <th scope="col">Stage</th><th scope="col">Metric</th><th scope="col" class="n">B − A</th><th scope="col">Interval</th>
            <th scope="col" class="n">Both</th><th scope="col" class="n">Only A</th><th scope="col" class="n">Only B</th><th scope="col" class="n">Neither</th>
            <th scope="col" class="n">B wins / ties / loses</th><th scope="col" class="n">p</th>
          </tr>
        </thead>
        <tbody>
          {pair.stages.map((stage, index) => (
            <Line key={`${stage.stage}/${stage.metric}`} board={board} stage={stage} fixed={fixed} reach={reach}
              rows={pair.stages[index - 1]?.stage === stage.stage ? 0 : pair.stages.filter((other) => other.stage === stage.stage).length} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `rows` is how many rows its stage has, on the first of them; 0 on the others. */
function Line({ board, stage, fixed, reach, rows }: { board: Board; stage: PairStage; fixed: boolean; reach: number; rows: number }) {
  const metric = metricOf(board, stage.metric);
  const { delta, table, fixedMaximum } = stage;
  const replaced = fixed && fixedMaximum !== null;
  const shown = replaced ? { ...delta, value: fixedMaximum.delta, low: null, high: null } : delta;
  const sign = shown.value === null || metric.better === "neither" ? 0 : Math.sign(shown.value) * (metric.better === "more" ? 1 : -1);
  const clear = shown.low !== null && shown.high !== null && (shown.low > 0 || shown.high < 0);
  return (
    <tr>
      {rows > 0 && <th scope="rowgroup" rowSpan={rows} class="stage">{stageTitle(board, stage.stage)}</th>}
      <td title={metric.description}>
        {metric.title}
        {metric.better !== "neither" && <small>{metric.better} is better</small>}
        {replaced && <small>fixed maximum: A {rate(fixedMaximum.a)}, B {rate(fixedMaximum.b)}</small>}
      </td>
      <td class="n">
        <span class={`value ${clear && !stage.refused ? (sign > 0 ? "good" : sign < 0 ? "bad" : "") : ""}`}>{signed(shown.value)}</span>
        <small>{interval(shown, signed)}</small>
        <small>{count(stage.pairs)} pairs, {count(stage.clusters)} clusters</small>
      </td>
      <td>
        {stage.refused ? <span class="refused">no conclusion: {stage.refused}</span> : <>
          <Bar value={shown.value} low={shown.low} high={shown.high} reach={reach} />
          <small>{verdict(shown.value, clear, sign, replaced)}</small>
        </>}
      </td>
      {table ? (
        <>
          <td class="n">{count(table.both)}</td><td class="n">{count(table.onlyA)}</td><td class="n">{count(table.onlyB)}</td><td class="n">{count(table.neither)}</td>
          <td class="n">{outcome(table, metric.better)}</td>
        </>
      ) : <td class="quiet" colSpan={5}>{NOT_APPLICABLE}: no yes or no for each rollout</td>}
      <td class="n">{pValue(stage.p)}</td>
    </tr>
  );
}

/** The interval around zero, drawn to one scale for all rows; the numbers stand beside it. */
function Bar({ value, low, high, reach }: { value: number | null; low: number | null; high: number | null; reach: number }) {
  if (value === null) return null;
  const at = (number: number) => 70 + (number / reach) * 62;
  return (
    <svg class="figure delta" viewBox="0 0 140 18" width="140" height="18" aria-hidden="true">
      <line class="axis" x1="70" x2="70" y1="1" y2="17" />
      {low !== null && high !== null && <path class="whisker" d={`M${at(low)},5V13M${at(low)},9H${at(high)}M${at(high)},5V13`} />}
      <circle class="point" cx={at(value)} cy="9" r="3.5" />
    </svg>
  );
}

function verdict(value: number | null, clear: boolean, sign: number, replaced: boolean): string {
  if (value === null) return NOT_APPLICABLE;
  if (replaced) return "point values alone";
  if (!clear) return "not separable";
  return sign > 0 ? "B is better" : sign < 0 ? "B is worse" : "they differ";
}

function outcome(table: NonNullable<PairStage["table"]>, better: "more" | "less" | "neither"): string {
  if (better === "neither") return NOT_APPLICABLE;
  const [win, loss] = better === "more" ? [table.onlyB, table.onlyA] : [table.onlyA, table.onlyB];
  return `${count(win)} / ${count(table.both + table.neither)} / ${count(loss)}`;
}
