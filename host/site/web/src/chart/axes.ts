/** Scales whose marks stay whole at their ends. */
import { scaleLinear, type ScaleLinear } from "d3-scale";

export type Scale = ScaleLinear<number, number>;

/** A scale over values with a margin, which never leaves [0, 1] if no value does. */
export function scaleOver(values: readonly number[], range: [number, number], whole: boolean): Scale {
  const low = Math.min(...values, whole ? 0 : Infinity);
  const high = Math.max(...values, whole ? 1 : -Infinity);
  const [from, to] = Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 1];
  const margin = Math.max((to - from) * 0.04, 0.01);
  const bounded = from >= 0 && to <= 1;
  const ends = [bounded ? Math.max(0, from - margin) : from - margin, bounded ? Math.min(1, to + margin) : to + margin];
  return scaleLinear().domain(ends).range(range);
}

/** Ticks with as many decimals as tell them apart. */
export function ticksOf(scale: Scale, about: number): { value: number; label: string }[] {
  const format = scale.tickFormat(about);
  return scale.ticks(about).map((value) => ({ value, label: format(value) }));
}
