/** How numbers are written, everywhere alike. */
import type { Estimate } from "./data";

/** What stands where a number does not apply. */
export const NOT_APPLICABLE = "N/A";

/** A rate or mean, three decimals. */
export function rate(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NOT_APPLICABLE : (Object.is(Math.round(value * 1000), -0) ? 0 : value).toFixed(3);
}

/** A difference, with its sign; U+2212 is as wide as a plus. */
export function signed(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOT_APPLICABLE;
  const text = Math.abs(value).toFixed(3);
  return Number(text) === 0 ? "0.000" : `${value < 0 ? "−" : "+"}${text}`;
}

/** `[0.823, 0.913]`, or nothing where there is no interval. */
export function interval(estimate: Estimate, number: (value: number | null) => string = rate): string {
  return estimate.low === null || estimate.high === null ? "" : `[${number(estimate.low)}, ${number(estimate.high)}]`;
}

/** `522/600` for a count, `n=600` for a mean. */
export function denominator(estimate: Estimate): string {
  if (estimate.value === null && estimate.denominator === 0) return "";
  return estimate.counted ? `${count(estimate.numerator)}/${count(estimate.denominator)}` : `n=${count(estimate.denominator)}`;
}

/** All of an estimate in one line. */
export function estimateText(estimate: Estimate | undefined): string {
  if (!estimate || estimate.value === null) return NOT_APPLICABLE;
  const clusters = estimate.clusters > 0 ? `${count(estimate.clusters)} clusters` : "";
  const of = [denominator(estimate), clusters].filter(Boolean).join(", ");
  return [rate(estimate.value), interval(estimate), of && `(${of})`, faultText(estimate)].filter(Boolean).join(" ");
}

/** How far a rate may rise if each case in which the policy failed counts; nothing where none failed. */
export function faultText(estimate: Estimate): string {
  if (!estimate.faults || estimate.value === null || estimate.denominator <= 0) return "";
  return `up to ${rate(Math.min(1, estimate.value + estimate.faults / estimate.denominator))}: ${plural(estimate.faults, "case")} with a fault`;
}

/** Whether the interval is an exact one-sided bound: no case counts, or every one does. */
export function isBound(estimate: Estimate): boolean {
  return estimate.counted && estimate.denominator > 0 && (estimate.numerator === 0 || estimate.numerator === estimate.denominator);
}

/** A whole number, its thousands apart. The reader's locale must not decide how a table looks. */
export function count(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A large number in three digits: 12.3 k, 4.56 M. */
export function short(value: number): string {
  for (const [unit, suffix] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]] as const) {
    if (Math.abs(value) >= unit) return `${(value / unit).toPrecision(3)}${suffix}`;
  }
  return count(value);
}

/** `1 rollout`, `2 rollouts`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A p value. */
export function pValue(value: number | null): string {
  if (value === null) return NOT_APPLICABLE;
  return value < 0.0001 ? "< 0.0001" : value.toFixed(4);
}

/** The first digits of a digest, enough to tell by eye. */
export function digest(hex: string): string {
  return hex.replace(/^sha256:/, "").slice(0, 12);
}
