/** A comparison read from either side: the data has each pair once. */
import type { Pair, PairStage } from "../data";

/** The comparison of `b` against `a`, turned around where the data has it the other way. */
export function pairOf(pairs: readonly Pair[], a: number, b: number, model: string): Pair | undefined {
  const straight = pairs.find((pair) => pair.a === a && pair.b === b && pair.model === model);
  if (straight) return straight;
  const other = pairs.find((pair) => pair.a === b && pair.b === a && pair.model === model);
  return other && { ...other, a, b, stages: other.stages.map(turned) };
}

function turned(stage: PairStage): PairStage {
  const { delta, table, fixedMaximum } = stage;
  const minus = (value: number | null) => (value === null ? null : -value);
  return {
    ...stage,
    delta: { ...delta, value: minus(delta.value), low: minus(delta.high), high: minus(delta.low), numerator: -delta.numerator },
    table: table && { ...table, onlyA: table.onlyB, onlyB: table.onlyA },
    fixedMaximum: fixedMaximum && { a: fixedMaximum.b, b: fixedMaximum.a, delta: -fixedMaximum.delta },
  };
}
