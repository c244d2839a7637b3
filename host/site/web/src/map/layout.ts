/** Where the map's cells are, in pixels. */
import type { Grid, Row } from "./grid";

export interface Layout {
  /** Left of the first column: names of scenarios or of groups. */
  gutter: number;
  head: number;
  cell: number;
  row: number;
  group: number;
  /** Between entries. */
  gap: number;
  /** The top of each row below the head, and after the last. */
  tops: number[];
  height: number;
  width: number;
}

export function layoutOf(grid: Grid, rows: readonly Row[], width: number, large: boolean): Layout {
  const entries = Math.max(1, grid.entries.length);
  const seeds = Math.max(1, grid.seeds.length);
  const narrow = width < 560;
  const gutter = narrow || !large ? 4 : 240;
  const gap = narrow ? 3 : 6;
  // Names lean over to the right of the last column.
  const room = width - gutter - (narrow ? 34 : 60) - entries * gap;
  const cell = Math.max(narrow ? 4 : 6, Math.min(large ? 18 : 26, Math.floor(room / (entries * seeds))));
  const row = large ? 16 : 8;
  const group = 24;
  const tops = [0];
  for (const one of rows) tops.push((tops.at(-1) ?? 0) + ("group" in one ? group : row));
  return { gutter, head: 96, cell, row, group, gap, tops, height: tops.at(-1) ?? 0, width: gutter + entries * (seeds * cell + gap) };
}

/** The left edge of a column. */
export function leftOf(layout: Layout, seeds: number, entry: number, seed: number): number {
  return layout.gutter + entry * (seeds * layout.cell + layout.gap) + seed * layout.cell;
}

/** The row at a height below the head. */
export function rowAt(layout: Layout, y: number): number {
  let [low, high] = [0, layout.tops.length - 1];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((layout.tops[middle] ?? 0) <= y) low = middle;
    else high = middle;
  }
  return low;
}

/** The column at a distance from the left; null between the entries. */
export function columnAt(layout: Layout, entries: number, seeds: number, x: number): { entry: number; seed: number } | null {
  const across = x - layout.gutter;
  const stride = seeds * layout.cell + layout.gap;
  const entry = Math.floor(across / stride);
  const seed = Math.floor((across - entry * stride) / layout.cell);
  return across < 0 || entry >= entries || seed >= seeds ? null : { entry, seed };
}
