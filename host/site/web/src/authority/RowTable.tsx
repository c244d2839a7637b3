/** Rows of a module with all their estimates. */
import type { AuthorityRow, Metric } from "../data";
import { Key } from "../chart/Mark";
import { count, NOT_APPLICABLE, signed } from "../format";
import { EstimateCell } from "../parts/EstimateCell";
import { entryHref, href } from "../routes";
import { estimateOf, rowName, type looksOf } from "./rows";

export function RowTable({ track, rows, looks, metrics, first, label }: {
  track: string;
  rows: readonly AuthorityRow[];
  looks: ReturnType<typeof looksOf>;
  metrics: readonly Metric[];
  /** Head of the first column. */
  first: string;
  label: string;
}) {
  const differs = rows.some(({ difference }) => difference !== null);
  const heldOut = rows.some((row) => row.heldOut !== null);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {metrics.map((metric) => <th key={metric.name} scope="col" class="n c-metric" title={metric.description}>{metric.title}{metric.better !== "neither" && <small>{metric.better} is better</small>}</th>)}
            {differs && <th scope="col" class="n" title="Paired by pair. Near zero: it lets through or stops whatever comes, whoever authorised it.">TSR − ASR</th>}
            {heldOut && ["asr", "tsr"].map((name) => <th key={name} scope="col" class="n">{name.toUpperCase()}, held out</th>)}
            <th scope="col">Traces</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const slot = looks.get(rowName(row));
            return (
              <tr key={index}>
                <th scope="row">
                  <span class="name">{slot && <Key slot={slot} />}{row.entry ? <a href={entryHref(track, row.entry)}>{rowName(row)}</a> : rowName(row)}</span>
                  {row.null && <small>null control: no focal memory is shown</small>}
                </th>
                {metrics.map(({ name }) => <EstimateCell key={name} estimate={estimateOf(row, name)} />)}
                {differs && <td class="n">{row.difference ? <><span class="value">{signed(row.difference.value)}</span><small>{row.difference.low === null || row.difference.high === null ? "" : `[${signed(row.difference.low)}, ${signed(row.difference.high)}]`}</small><small>{count(row.difference.pairs)} pairs</small></> : NOT_APPLICABLE}</td>}
                {heldOut && ["asr", "tsr"].map((name) => <EstimateCell key={name} estimate={row.heldOut?.[name]} />)}
                <td>{row.entry ? <a href={href(track, "traces", [row.entry], { stage: row.stage })} aria-label={`Traces of ${rowName(row)}`}>traces</a> : <span class="quiet">a mean</span>}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
