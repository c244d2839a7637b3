/** An estimate in a table: value, interval, denominator. What says nothing is said in words. */
import type { Estimate } from "../data";
import { denominator, faultText, interval, NOT_APPLICABLE, rate } from "../format";

export function EstimateCell({ estimate, silent = false }: { estimate: Estimate | undefined; silent?: boolean }) {
  if (!estimate || estimate.value === null) return <td class="n quiet">{NOT_APPLICABLE}</td>;
  if (silent) {
    return <td class="n quiet">not discriminative<small>{denominator(estimate)}</small></td>;
  }
  return (
    <td class="n">
      <span class="value">{rate(estimate.value)}</span>
      <small>{interval(estimate)}</small>
      <small title={estimate.clusters ? `${estimate.clusters} clusters` : undefined}>{denominator(estimate)}</small>
      {!!estimate.faults && <small class="bad">{faultText(estimate)}</small>}
    </td>
  );
}
