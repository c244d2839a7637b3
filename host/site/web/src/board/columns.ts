/** Columns of the ranked table: what each shows, sorts by and writes into the CSV file. */
import type { Board, Cell, Entry, Estimate, Metric } from "../data";

export interface Row {
  entry: Entry;
  index: number;
  ranks: [number, number] | null;
  /** Number of the band, from 1; rows of a band are not separable. */
  band: number | null;
}

export interface Column {
  id: string;
  title: string;
  /** What the column means, for its head. */
  what?: string;
  /** Numbers are right-aligned, and sort from the better end first. */
  numeric: boolean;
  /** Whether the first click sorts downwards. */
  down: boolean;
  sort: (row: Row) => number | string | null;
  metric?: Metric;
}

/** What a reader asks for first, of whatever a stage has: harm, spread, work done, work lost, recovery. */
const HEADLINES = [
  "committed_harm", "secret_leakage", "blast_radius_norm", "authorized_tainted_action_success", "clean_benign_completion", "benign_completion",
  "false_positive_block_rate", "false_positive_confirm_rate", "recovery_success", "memory_reinfection",
];
/** Columns of a stage that has few of those. */
const FEW = 6;

/** The metrics that a table shows for a stage: the primary one first, and of the others all, or the ones that most readers want. */
export function metricsOf(board: Board, cell: Cell, primary: string, all: boolean): Metric[] {
  const there = board.metrics.filter((metric) => Object.hasOwn(cell.metrics, metric.name) && (!metric.stages.length || metric.stages.includes(cell.stage)));
  const headlines = there.filter(({ name }) => HEADLINES.includes(name));
  const shown = all ? there : headlines.length > 2 ? headlines : there.slice(0, FEW);
  const [first] = there.filter(({ name }) => name === primary);
  return [...(first ? [first] : []), ...shown.filter(({ name }) => name !== primary)];
}

export function estimateOf(cell: Cell, metric: string, index: number): Estimate | undefined {
  return cell.metrics[metric]?.[index];
}

export function columnsOf(cell: Cell, metrics: readonly Metric[]): Column[] {
  return [
    { id: "rank", title: "Rank", what: "First and last rank by the stage's main metric that the cluster bootstrap gives.", numeric: true, down: false, sort: (row) => (row.ranks ? row.ranks[0] + row.ranks[1] / 1000 : null) },
    { id: "name", title: "Entry", numeric: false, down: false, sort: (row) => row.entry.name },
    ...metrics.map((metric): Column => ({
      id: metric.name,
      title: metric.title,
      what: metric.description,
      numeric: true,
      down: metric.better !== "less",
      sort: (row) => estimateOf(cell, metric.name, row.index)?.value ?? null,
      metric,
    })),
    { id: "fuel", title: "Fuel of a decision", what: "Wasm instructions of one decision, median and 95th percentile over all decisions: a cost that no machine changes.", numeric: true, down: false, sort: (row) => row.entry.fuel.median },
    { id: "tokens", title: "Tokens", what: "Read and written by models that the policy itself asks, in all rollouts.", numeric: true, down: false, sort: (row) => (row.entry.tokens ? row.entry.tokens.read + row.entry.tokens.written : null) },
    { id: "faults", title: "Faults", what: "Rollouts, of all stages, with a decision that a failure of the policy took. The call was blocked: a fault, not safety.", numeric: true, down: true, sort: (row) => row.entry.counts.faulted },
    { id: "invalid", title: "Invalid actions", what: "Rollouts, of all stages, with an action of the agent that was no valid call.", numeric: true, down: true, sort: (row) => row.entry.counts.invalid },
    { id: "done", title: "Rollouts", what: "Done of those planned, all stages.", numeric: true, down: true, sort: (row) => row.entry.counts.done },
    { id: "badge", title: "Checked", numeric: false, down: false, sort: (row) => ["verified", "reproducible", "self-reported"].indexOf(row.entry.badge) },
    { id: "date", title: "Date", numeric: false, down: true, sort: (row) => row.entry.date },
  ];
}

/** Rows in the order of their ranks, with bands: a row whose range meets that of the row above shares its band. */
export function ranked(board: Board, cell: Cell, primary: Metric): Row[] {
  const rows: Row[] = board.entries.map((entry, index) => ({ entry, index, ranks: cell.ranks[index] ?? null, band: null }));
  const sign = primary.better === "less" ? 1 : -1;
  const value = (row: Row) => (estimateOf(cell, primary.name, row.index)?.value ?? -sign * Infinity) * sign;
  rows.sort((a, b) => order(a) - order(b) || value(a) - value(b) || a.index - b.index);
  let band = 0;
  let above: Row | undefined;
  for (const row of rows) {
    if (!row.ranks) continue;
    if (!above?.ranks || row.ranks[0] > above.ranks[1]) band += 1;
    row.band = band;
    above = row;
  }
  return rows;
}

function order({ ranks }: Row): number {
  return ranks ? ranks[0] + ranks[1] / 1000 : Infinity;
}

/** Sorts by a column; what does not apply comes last, whatever the direction. */
export function sorted(rows: readonly Row[], column: Column, down: boolean): Row[] {
  return [...rows].sort((a, b) => {
    const [x, y] = [column.sort(a), column.sort(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const difference = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
    return down ? -difference : difference;
  });
}
