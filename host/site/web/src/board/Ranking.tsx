/** The ranked table, a tab for each stage. */
import { useMemo } from "preact/hooks";
import type { Cell, Metric } from "../data";
import { Key } from "../chart/Mark";
import { slots, type Slot } from "../chart/marks";
import { count, digest, NOT_APPLICABLE, plural, short } from "../format";
import { Badge } from "../parts/Badge";
import { Copy } from "../parts/Copy";
import { download } from "../parts/download";
import { EstimateCell } from "../parts/EstimateCell";
import { Notes } from "../parts/Notes";
import { Choice, Filter } from "../parts/Select";
import { Tabs } from "../parts/Tabs";
import { entryHref, href } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from ".";
import { columnsOf, estimateOf, metricsOf, ranked, sorted, type Column, type Row } from "./columns";
import { tableCsv } from "./export";
import { ScopeFields } from "./ScopeFields";
import { cellOf, metricOf, scopeOf } from "./scope";

export function Ranking({ track, board, route }: BoardProps) {
  const scope = scopeOf(board, route);
  const stage = board.stages.find(({ id }) => id === route.query.stage) ?? board.stages[0];
  useTitle(`${track.title}: ranking${stage ? `, ${stage.title}` : ""}`);
  const cell = stage && cellOf(board, stage.id, scope);
  const looks = useMemo(() => slots(board.entries.map(({ name }) => name)), [board]);
  const rows = useMemo(() => (cell && stage ? ranked(board, cell, metricOf(board, stage.primary)) : []), [board, cell, stage]);
  if (!stage) return <><h1>Ranking</h1><p>This run has no stage.</p></>;

  const { stage: _, sort: __, down: ___, ...kept } = route.query;
  const tabs = board.stages.map(({ id, title }) => ({ id, label: title, href: href(track.id, "table", [], { ...kept, stage: id }) }));
  const every = route.query.columns === "all";
  const metrics = cell ? metricsOf(board, cell, stage.primary, every) : [];
  const columns = cell ? columnsOf(cell, metrics) : [];
  const by = columns.find(({ id }) => id === route.query.sort) ?? columns[0];
  const down = route.query.sort === by?.id ? route.query.down === "1" : by?.down ?? false;
  const text = route.query.q ?? "";
  const shown = by ? sorted(rows.filter((row) => matches(row, text)), by, down) : [];
  const primary = metricOf(board, stage.primary);
  const order = (column: Column) => setQuery({ sort: column.id, down: column.id === by?.id ? !down : column.down });

  return (
    <>
      <h1>Ranking</h1>
      <Tabs tabs={tabs} current={stage.id} label="Stages" />
      <p class="lead">
        {plural(stage.scenarios, "scenario")}, {plural(stage.rollouts, "rollout")} of each entry. Ranked by <b>{primary.title}</b>
        {primary.better === "neither" ? "" : `, ${primary.better} is better`}.
        Neighbours of one band are not separable: the ranges of their ranks meet.
        {stage.id === "all" && <strong> Pooled over stages, a number depends on how many scenarios each stage has: compare within a stage first.</strong>}
      </p>
      <div class="fields">
        <ScopeFields board={board} scope={scope} />
        <Filter label="Filter" value={text} onChange={(q) => setQuery({ q })} />
        <Choice label="Metrics" value={every ? "all" : ""} options={[{ value: "", label: "main" }, { value: "all", label: "all" }]} onChange={(value) => setQuery({ columns: value })} />
        <div class="buttons">
          <button type="button" disabled={!cell} onClick={() => cell && download(`${track.id}-${stage.id}.csv`, tableCsv(shown, cell, metrics, scope))}>Download CSV</button>
          <Copy text={location.href} label="Copy link" />
        </div>
      </div>
      {!cell ? <p class="empty">No entry was run in this stage and domain.</p> : (
        <div class="scroll ranking" tabIndex={0} role="region" aria-label={`Ranking, ${stage.title}`}>
          <table>
            <caption class="unseen">{stage.title}. Sorted by {by?.title}.</caption>
            <thead>
              <tr>{columns.map((column) => <Head key={column.id} column={column} sorted={column === by ? (down ? "descending" : "ascending") : undefined} silent={!!column.metric && cell.notDiscriminative.includes(column.id)} onSort={() => order(column)} />)}</tr>
            </thead>
            <tbody>
              {shown.map((row) => <Line key={row.entry.id} track={track.id} row={row} slot={looks[row.index]} cell={cell} metrics={metrics} banded={by?.id === "rank"} />)}
            </tbody>
          </table>
          {!shown.length && <p class="empty">No entry matches “{text}”.</p>}
        </div>
      )}
      {metrics.length > 0 && (
        <details class="meanings">
          <summary>What the metrics mean</summary>
          <dl class="tree root">{metrics.map(({ name, title, description }) => <div key={name}><dt>{title}</dt><dd>{description}</dd></div>)}</dl>
        </details>
      )}
      <Notes notes={board.notes} />
    </>
  );
}

function Head({ column, sorted, silent, onSort }: { column: Column; sorted: "ascending" | "descending" | undefined; silent: boolean; onSort: () => void }) {
  return (
    <th scope="col" class={`${column.numeric ? "n" : ""} c-${column.metric ? "metric" : column.id}`} aria-sort={sorted ?? "none"}>
      <button type="button" title={column.what} onClick={onSort}>
        {column.title}<span class="arrow" aria-hidden="true">{sorted ? (sorted === "descending" ? "↓" : "↑") : ""}</span>
      </button>
      {column.metric && <small>{silent ? "not discriminative" : column.metric.better === "neither" ? "" : `${column.metric.better} is better`}</small>}
      {column.id === "fuel" && <small>median / p95</small>}
      {column.id === "tokens" && <small>read / written</small>}
    </th>
  );
}

function Line({ track, row, slot, cell, metrics, banded }: { track: string; row: Row; slot: Slot | undefined; cell: Cell; metrics: readonly Metric[]; banded: boolean }) {
  const { entry, ranks, band } = row;
  const range = !ranks ? NOT_APPLICABLE : ranks[0] === ranks[1] ? String(ranks[0]) : `${ranks[0]}–${ranks[1]}`;
  return (
    <tr class={`${entry.baseline ? "baseline" : ""} ${banded && band ? `band${band % 2}` : ""}`}>
      <td class="n c-rank"><span class="value">{range}</span>{band !== null && <small>band {band}</small>}</td>
      <th scope="row" class="c-name">
        <span class="name">{slot && <Key slot={slot} />}<a href={entryHref(track, entry.id)}>{entry.name}</a></span>
        <small>
          {[entry.baseline && "baseline", entry.version, digest(entry.digest), entry.authors.join(", ")].filter(Boolean).join(" · ")}
        </small>
      </th>
      {metrics.map(({ name }) => <EstimateCell key={name} estimate={estimateOf(cell, name, row.index)} silent={cell.notDiscriminative.includes(name)} />)}
      <td class="n"><span class="value">{short(entry.fuel.median)}</span><small>{short(entry.fuel.p95)}</small></td>
      <td class="n">{entry.tokens ? <>{short(entry.tokens.read)}<small>{short(entry.tokens.written)}</small></> : <span class="quiet" title="This policy asks no model">none</span>}</td>
      <td class={`n ${entry.counts.faulted ? "bad" : ""}`}>{count(entry.counts.faulted)}</td>
      <td class="n">{count(entry.counts.invalid)}</td>
      <td class={`n ${entry.counts.done < entry.counts.planned ? "bad" : ""}`}>{count(entry.counts.done)}<small>of {count(entry.counts.planned)}</small></td>
      <td><Badge kind={entry.badge} /></td>
      <td class="date">{entry.date ?? <span class="quiet">not submitted</span>}</td>
    </tr>
  );
}

function matches({ entry }: Row, text: string): boolean {
  const all = [entry.name, entry.version, entry.digest, entry.badge, ...entry.authors].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
