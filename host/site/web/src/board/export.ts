/** The ranked table as CSV: every number with its interval and denominator, all digits kept. */
import type { Cell, Metric } from "../data";
import { csv } from "../parts/download";
import { estimateOf, type Row } from "./columns";
import type { Scope } from "./scope";

type Field = string | number | null;

export function tableCsv(rows: readonly Row[], cell: Cell, metrics: readonly Metric[], scope: Scope): string {
  const parts = ["value", "low", "high", "numerator", "denominator", "clusters", "faults"];
  const head: Field[] = [
    "stage", "domain", "model", "entry", "version", "digest", "authors", "badge", "date", "rank_first", "rank_last", "band",
    ...metrics.flatMap(({ name }) => parts.map((part) => `${name}_${part}`)),
    "not_discriminative",
    "fuel_median", "fuel_p95", "tokens_read", "tokens_written", "planned", "done", "faulted", "invalid",
  ];
  const body = rows.map(({ entry, index, ranks, band }): Field[] => [
    cell.stage, scope.domain ?? "all", cell.model, entry.name, entry.version, entry.digest, entry.authors.join("; "), entry.badge, entry.date,
    ranks?.[0] ?? null, ranks?.[1] ?? null, band,
    ...metrics.flatMap(({ name }): Field[] => {
      const estimate = estimateOf(cell, name, index);
      if (!estimate) return parts.map(() => null);
      return [estimate.value, estimate.low, estimate.high, estimate.numerator, estimate.denominator, estimate.clusters, estimate.faults ?? 0];
    }),
    cell.notDiscriminative.join("; "),
    entry.fuel.median, entry.fuel.p95, entry.tokens?.read ?? null, entry.tokens?.written ?? null,
    entry.counts.planned, entry.counts.done, entry.counts.faulted, entry.counts.invalid,
  ]);
  return csv([head, ...body]);
}
