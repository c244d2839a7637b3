/** Labels of the arms against gold. */
import type { LabelRow } from "../data";
import { rate } from "../format";
import { EstimateCell } from "../parts/EstimateCell";

export function LabelTable({ rows }: { rows: readonly LabelRow[] }) {
  if (!rows.length) return null;
  return (
    <>
      <h2>Labels against gold</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Labels against gold">
        <table>
          <thead><tr><th scope="col">Labels of</th><th scope="col">Bases</th><th scope="col" class="n">Accuracy</th><th scope="col" class="n">On focal memories</th><th scope="col" class="n">Macro F1</th></tr></thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                <th scope="row">{row.arm}{row.baseline && <small>what the most frequent label on every memory would be worth</small>}</th>
                <td>{row.partition}</td>
                <EstimateCell estimate={row.accuracy} />
                <EstimateCell estimate={row.focalAccuracy} />
                <td class="n">{rate(row.macroF1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
