/** Rows of the authority tables: which are shown, and how a point is made of one. */
import type { AuthorityBoard, AuthorityRow, Estimate, Metric } from "../data";
import { slots } from "../chart/marks";
import { reading, undominated } from "../chart/reading";
import type { Dot } from "../chart/Scatter";
import type { Option } from "../parts/Select";
import { entryHref, type Route } from "../routes";

/** Every row of the three modules. */
export type Module = "writing" | "acting" | "pipeline";

/** An evidence stage out of the address; the first has the paper's pairs. */
export function stageOf(board: AuthorityBoard, route: Route): string {
  return board.stages.find((stage) => stage === route.query.stage) ?? board.stages[0] ?? "";
}

/** A row's property as a choice: every value that occurs, and what the address asks for, else the one with the most rows. */
export function choice(rows: readonly AuthorityRow[], of: (row: AuthorityRow) => string | null, asked: string | undefined): { value: string; options: Option[] } {
  const values = [...new Set(rows.map((row) => of(row) ?? ""))];
  const rowsOf = (one: string) => rows.filter((row) => (of(row) ?? "") === one).length;
  const [most] = [...values].sort((a, b) => rowsOf(b) - rowsOf(a));
  const value = asked !== undefined && values.includes(asked) ? asked : most ?? "";
  return { value, options: values.map((one) => ({ value: one, label: one || "mean over models" })) };
}

/** A row's estimate; its own property only. */
export function estimateOf(row: AuthorityRow, metric: string): Estimate | undefined {
  return Object.hasOwn(row.metrics, metric) ? row.metrics[metric] : undefined;
}

/** What a row is called where its module's other keys are chosen. */
export function rowName(row: AuthorityRow): string {
  return [row.name, row.view && row.view !== "full" ? `(${row.view})` : "", row.method && row.method !== "rules" ? `(${row.method})` : ""].filter(Boolean).join(" ");
}

/** Metrics that occur, in the board's order. */
export function metricsOf(board: AuthorityBoard, rows: readonly AuthorityRow[]): Metric[] {
  return board.metrics.filter(({ name }) => rows.some((row) => estimateOf(row, name) !== undefined));
}

/** Looks of rows: a name has one look in all figures of a module. */
export function looksOf(rows: readonly AuthorityRow[]): Map<string, ReturnType<typeof slots>[number]> {
  const names = [...new Set(rows.map(rowName))];
  // Places in the palette in the order of the table, since no name here is a policy's.
  const all = slots(names.map((_, index) => `\u0000${index}`));
  return new Map(names.flatMap((name, index) => { const slot = all[index]; return slot ? [[name, slot] as const] : []; }));
}

/** Points of two metrics; the second is drawn as 1 - value where `complement` says so, so that more is better on both axes. */
export function dotsOf(track: string, rows: readonly AuthorityRow[], looks: ReturnType<typeof looksOf>, x: string, y: string, complement: boolean): Dot[] {
  const dots = rows.flatMap((row, index): Dot[] => {
    const slot = looks.get(rowName(row));
    const [across, up] = [reading(estimateOf(row, x)), reading(estimateOf(row, y), complement)];
    if (!slot || !across || !up) return [];
    const dot: Dot = { id: String(index), name: rowName(row), slot, x: across, y: up, dominated: false };
    return [row.entry ? { ...dot, href: entryHref(track, row.entry) } : dot];
  });
  const best = undominated(dots.map((dot) => ({ x: dot.x.value, y: dot.y.value })));
  return dots.map((dot, index) => ({ ...dot, dominated: !best[index] }));
}
