/** A number of an entry as a figure draws it. */
import type { Estimate } from "../data";
import { denominator, estimateText, faultText, isBound, NOT_APPLICABLE, rate } from "../format";

export interface Reading {
  value: number;
  low: number;
  high: number;
  /** Its interval is an exact bound on one side. */
  bound: boolean;
  /** In words, with interval, denominator and clusters. */
  text: string;
}

/** Null where the estimate does not apply: such a point is named beside the figure, and not drawn. */
export function reading(estimate: Estimate | undefined, complement = false): Reading | null {
  if (!estimate || estimate.value === null) return null;
  const turn = (value: number) => (complement ? 1 - value : value);
  const ends = [turn(estimate.low ?? estimate.value), turn(estimate.high ?? estimate.value)];
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const value = turn(estimate.value);
  const text = complement
    ? `${rate(value)} [${rate(low)}, ${rate(high)}] (1 − ${denominator(estimate)}${estimate.clusters ? `, ${estimate.clusters} clusters` : ""})${estimate.faults ? `; harm ${faultText(estimate)}` : ""}`
    : estimateText(estimate);
  return { value, low, high, bound: isBound(estimate), text };
}


export function readingText(value: Reading | null): string {
  return value ? value.text : NOT_APPLICABLE;
}

/** Whether each point is on the Pareto line: no other is at least as good on both axes and better on one. More is better. */
export function undominated(points: readonly { x: number; y: number }[]): boolean[] {
  return points.map((point) => !points.some((other) =>
    other.x >= point.x && other.y >= point.y && (other.x > point.x || other.y > point.y)));
}
