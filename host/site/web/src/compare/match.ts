/** Rollouts of two entries that differ in nothing but the policy, and where they part. */
import type { Metric, Scenarios, Units, Values } from "../data";

/** One scenario, model and seed of both. */
export interface Matched { scenario: number; seed: number; a: number; b: number }

/** A scenario in which some rollout differs. */
export interface Discordant {
  scenario: number;
  /** Rollouts of it that both have. */
  seeds: number;
  flips: Flip[];
  better: number;
  worse: number;
}
export interface Flip {
  seed: number;
  a: number;
  b: number;
  from: number | null;
  to: number | null;
  /** Whether B is better: 1, 0 where neither direction is, -1. */
  sign: number;
}

/** Win, tie, loss of B against A over matched rollouts; null where neither direction is better. */
export interface Tally { matched: number; win: number; tie: number; loss: number; discordant: Discordant[] }

/** Both entries' units of a model, by scenario and seed. `models` translates B's model numbers, which are the board's. */
export function matched(a: Units, b: Units, model: number): Matched[] {
  const units = new Map<string, number>();
  b.scenario.forEach((scenario, unit) => {
    if (b.model[unit] === model) units.set(`${scenario}/${b.seed[unit]}`, unit);
  });
  const pairs: Matched[] = [];
  a.scenario.forEach((scenario, unit) => {
    if (a.model[unit] !== model) return;
    const seed = a.seed[unit] ?? 0;
    const other = units.get(`${scenario}/${seed}`);
    if (other !== undefined) pairs.push({ scenario, seed, a: unit, b: other });
  });
  return pairs;
}

/** Where a metric, in one stage or in all, differs. */
export function tally(pairs: readonly Matched[], scenarios: Scenarios, stage: number | null, metric: Metric, a: (number | null)[], b: (number | null)[]): Tally {
  const good = metric.better === "more" ? 1 : metric.better === "less" ? -1 : 0;
  const found = new Map<number, Discordant>();
  const sum: Tally = { matched: 0, win: 0, tie: 0, loss: 0, discordant: [] };
  for (const pair of pairs) {
    if (stage !== null && scenarios.stage[pair.scenario] !== stage) continue;
    const [from, to] = [a[pair.a] ?? null, b[pair.b] ?? null];
    if (from === null && to === null) continue;
    sum.matched += 1;
    const known = found.get(pair.scenario) ?? { scenario: pair.scenario, seeds: 0, flips: [], better: 0, worse: 0 };
    found.set(pair.scenario, known);
    known.seeds += 1;
    if (from === to) {
      sum.tie += 1;
      continue;
    }
    const sign = from === null || to === null ? 0 : Math.sign(to - from) * good;
    known.flips.push({ seed: pair.seed, a: pair.a, b: pair.b, from, to, sign });
    if (sign > 0) { sum.win += 1; known.better += 1; }
    if (sign < 0) { sum.loss += 1; known.worse += 1; }
  }
  sum.discordant = [...found.values()].filter(({ flips }) => flips.length > 0)
    .sort((x, y) => y.flips.length - x.flips.length || x.scenario - y.scenario);
  return sum;
}

/** A metric's values of an entry; its own property only, since names are foreign text. */
export function valuesOf(values: Values, metric: string): (number | null)[] {
  return Object.hasOwn(values, metric) ? values[metric] ?? [] : [];
}
