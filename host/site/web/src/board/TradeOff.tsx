/** The front page: authorised work against security, each entry one mark with its two intervals. */
import { useMemo } from "preact/hooks";
import type { AxisPair, Board, Entry } from "../data";
import { Key } from "../chart/Mark";
import { slots, type Slot } from "../chart/marks";
import { reading, readingText, undominated, type Reading } from "../chart/reading";
import { Scatter, type Dot } from "../chart/Scatter";
import { Strip } from "../chart/Strip";
import { Badge } from "../parts/Badge";
import { Notes } from "../parts/Notes";
import { Check, Choice, Select } from "../parts/Select";
import { entryHref } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from ".";
import { ScopeFields } from "./ScopeFields";
import { cellOf, modelLabel, scopeOf, stageTitle, type Scope } from "./scope";

const CHECKED = [{ value: "", label: "all" }, { value: "reproducible", label: "reproducible" }, { value: "verified", label: "verified" }];

/** An entry with its two readings; null where one does not apply. */
interface Point { entry: Entry; slot: Slot; x: Reading | null; y: Reading | null; dominated: boolean }

export function TradeOff({ track, board, route }: BoardProps) {
  useTitle(`${track.title}: trade-off`);
  const scope = scopeOf(board, route);
  const axes = board.axes.find(({ id }) => id === route.query.axes) ?? board.axes[0];
  const least = route.query.checked ?? "";
  const points = useMemo(() => (axes ? pointsOf(board, axes, scope, least) : []), [board, axes, scope.domain, scope.model, least]);
  const drawn: Dot[] = points.flatMap(({ entry, slot, x, y, dominated }) =>
    x && y ? [{ id: entry.id, name: entry.name, slot, x, y, dominated, href: entryHref(track.id, entry.id) }] : []);
  const absent = points.filter(({ x, y }) => !x || !y);
  const crowd = mostAtOneHeight(drawn);
  const strip = route.query.zoom === "1";
  const model = board.models.find(({ name }) => name === scope.model);

  if (!axes) return <><h1>{track.title}</h1><p>This run has no pair of metrics to set against each other.</p><Notes notes={board.notes} /></>;
  return (
    <>
      <h1>{track.title}</h1>
      <p class="lead">
        How much authorised work does a defence let be done, and how much harm does it let through? {board.entries.length} entries
        on the same {sum(board.stages.map(({ scenarios }) => scenarios))} scenarios{model ? <>, acted by {modelLabel(model)}</> : null}.
      </p>
      <div class="fields">
        {board.axes.length > 1 && <Select label="Axes" value={axes.id} options={board.axes.map(({ id, title }) => ({ value: id, label: title }))} onChange={(value) => setQuery({ axes: value })} />}
        <ScopeFields board={board} scope={scope} />
        {board.entries.some(({ badge }) => badge !== board.entries[0]?.badge) && <Choice label="Checked at least" value={least} options={CHECKED} onChange={(checked) => setQuery({ checked })} />}
        <Check label="Zoom to the horizontal axis" checked={strip} onChange={(zoom) => setQuery({ zoom })} />
        <Check label="Scales from 0 to 1" checked={route.query.whole === "1"} onChange={(whole) => setQuery({ whole })} />
      </div>
      <figure>
        <figcaption>
          <strong>{axes.title}</strong>
          {scopeText(board, axes, scope)}
        </figcaption>
        {drawn.length === 0 ? <p class="empty">No entry has both numbers here.</p>
          : strip ? <Strip dots={drawn} x={axes.x.label} label={`${axes.x.label}, a row for each entry`} />
          : <Scatter dots={drawn} x={axes.x.label} y={axes.y.label} pareto whole={route.query.whole === "1"} label={`${axes.title}, a mark for each entry`} />}
        {!strip && crowd && (
          <p class="hint">
            {crowd.many} entries share {crowd.at} on the vertical axis. <button type="button" class="link" onClick={() => setQuery({ zoom: true })}>Zoom to the horizontal axis</button> to tell them apart.
          </p>
        )}
        <p class="under">
          Bars are 95 % cluster intervals; a dashed bar is an exact one-sided bound, where no case counts or every one
          does. {strip ? "Rows are in the order of the axis." : "The dashed line joins the entries that none is better than; what another is better than on both axes is faded."}
        </p>
        {absent.length > 0 && <p class="under">Not drawn, since a number does not apply: {absent.map(({ entry }) => entry.name).join(", ")}.</p>}
      </figure>
      <PointTable track={track.id} points={points} axes={axes} />
      <Notes notes={board.notes} />
    </>
  );
}

/** The same as a table: for a screen reader, and for who wants the digits. */
function PointTable({ track, points, axes }: { track: string; points: Point[]; axes: AxisPair }) {
  const sorted = [...points].sort((a, b) => (b.x?.value ?? -1) - (a.x?.value ?? -1));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The figure as a table">
      <table>
        <caption class="unseen">{axes.title}</caption>
        <thead><tr><th scope="col">Entry</th><th scope="col" class="n">{axes.x.label}</th><th scope="col" class="n">{axes.y.label}</th><th scope="col" title="No other entry is at least as good on both axes and better on one">On the line</th><th scope="col">Checked</th></tr></thead>
        <tbody>
          {sorted.map(({ entry, slot, x, y, dominated }) => (
            <tr key={entry.id}>
              <th scope="row"><span class="name"><Key slot={slot} /><a href={entryHref(track, entry.id)}>{entry.name}</a></span></th>
              <td class="n">{readingText(x)}</td>
              <td class="n">{readingText(y)}</td>
              <td>{!x || !y ? "N/A" : dominated ? "no" : "yes"}</td>
              <td><Badge kind={entry.badge} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function pointsOf(board: Board, axes: AxisPair, scope: Scope, least: string): Point[] {
  const looks = slots(board.entries.map(({ name }) => name));
  const cells = { x: cellOf(board, axes.x.stage, scope), y: cellOf(board, axes.y.stage, scope) };
  const enough = (entry: Entry) => entry.baseline || least === "" || entry.badge === "verified" || entry.badge === least;
  const points = board.entries.flatMap((entry, index) => {
    const slot = looks[index];
    if (!slot || !enough(entry)) return [];
    const x = reading(cells.x?.metrics[axes.x.metric]?.[index], axes.x.complement);
    const y = reading(cells.y?.metrics[axes.y.metric]?.[index], axes.y.complement);
    return [{ entry, slot, x, y, dominated: false }];
  });
  const both = points.filter((point): point is typeof point & { x: Reading; y: Reading } => point.x !== null && point.y !== null);
  const best = undominated(both.map(({ x, y }) => ({ x: x.value, y: y.value })));
  both.forEach((point, index) => { point.dominated = !best[index]; });
  return points;
}

function mostAtOneHeight(dots: readonly Dot[]): { many: number; at: string } | null {
  const heights = new Map<string, number>();
  for (const { y } of dots) heights.set(y.value.toFixed(3), (heights.get(y.value.toFixed(3)) ?? 0) + 1);
  const [most] = [...heights].sort((a, b) => b[1] - a[1]);
  return most && most[1] >= 4 ? { at: most[0], many: most[1] } : null;
}

function scopeText(board: Board, axes: AxisPair, scope: Scope): string {
  const stages = [...new Set([axes.x.stage, axes.y.stage])].map((stage) => stageTitle(board, stage));
  return `${stages.length > 1 ? "Stages" : "Stage"}: ${stages.join("; ")}. ${scope.domain ? `Domain: ${scope.domain}.` : "All domains."}`;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
