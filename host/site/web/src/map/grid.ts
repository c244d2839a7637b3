/** All rollouts of a model as a grid: scenarios down, entries and their seeds across. */
import type { Entry, Scenarios, Units } from "../data";
import { COMPLETED, HARM } from "../outcomes";

export interface Grid {
  entries: readonly Entry[];
  seeds: number[];
  /** By entry: the unit of `scenario * seeds.length + seed`, or -1. */
  units: Int32Array[];
  /** The outcome of the same, or NONE. */
  outcomes: Uint8Array[];
}

/** No such rollout. */
export const NONE = 255;

export function gridOf(entries: readonly Entry[], all: readonly Units[], model: number, scenarios: number): Grid {
  const seeds = [...new Set(all.flatMap((units) => units.seed.filter((_, unit) => units.model[unit] === model)))].sort((a, b) => a - b);
  const at = new Map(seeds.map((seed, index) => [seed, index]));
  const size = scenarios * seeds.length;
  const units = all.map(() => new Int32Array(size).fill(-1));
  const outcomes = all.map(() => new Uint8Array(size).fill(NONE));
  all.forEach((of, entry) => {
    of.scenario.forEach((scenario, unit) => {
      if (of.model[unit] !== model) return;
      const cell = scenario * seeds.length + (at.get(of.seed[unit] ?? 0) ?? 0);
      const [toUnits, toOutcomes] = [units[entry], outcomes[entry]];
      if (!toUnits || !toOutcomes) return;
      toUnits[cell] = unit;
      toOutcomes[cell] = of.outcome[unit] ?? NONE;
    });
  });
  return { entries, seeds, units, outcomes };
}

/** Outcomes of a scenario, entry by entry. */
export function outcomesOf(grid: Grid, scenario: number): Uint8Array[] {
  const width = grid.seeds.length;
  return grid.outcomes.map((all) => all.subarray(scenario * width, (scenario + 1) * width));
}

export type Show = "" | "fails" | "flips" | "live";

/** Whether a scenario is one of those that are asked for. */
export function shows(grid: Grid, scenario: number, show: Show): boolean {
  if (show === "") return true;
  const rows = outcomesOf(grid, scenario);
  if (show === "fails") return rows.every((row) => row.every((outcome) => outcome !== COMPLETED)) && rows.some((row) => row.some((outcome) => outcome !== NONE));
  if (show === "flips") return rows.some((row) => new Set(row.filter((outcome) => outcome !== NONE)).size > 1);
  const open = undefended(grid.entries);
  return rows.every((row, entry) => row.includes(HARM) === (entry === open));
}

/** The entry without a defence, or -1. */
export function undefended(entries: readonly Entry[]): number {
  return entries.findIndex(({ name, baseline }) => baseline && name === "none");
}

export type Grouping = "stage" | "domain" | "family" | "topology" | "memory";
export const GROUPINGS: readonly Grouping[] = ["stage", "domain", "family", "topology", "memory"];

export type Row = { group: string; many: number } | { scenario: number };

/** Rows of the map: each group's name, then its scenarios in the order of the plan. */
export function rowsOf(scenarios: Scenarios, shown: readonly number[], grouping: Grouping, title: (name: string) => string = (name) => name): Row[] {
  const [of, names] = lists(scenarios, grouping);
  const groups = new Map<number, number[]>();
  for (const scenario of shown) {
    const group = of[scenario] ?? -1;
    const known = groups.get(group);
    if (known) known.push(scenario);
    else groups.set(group, [scenario]);
  }
  return [...groups].sort(([a], [b]) => a - b)
    .flatMap(([group, members]): Row[] => [{ group: title(names[group] || "none"), many: members.length }, ...members.map((scenario) => ({ scenario }))]);
}

function lists(scenarios: Scenarios, grouping: Grouping): [number[], string[]] {
  switch (grouping) {
    case "stage": return [scenarios.stage, scenarios.stages];
    case "domain": return [scenarios.domain, scenarios.domains];
    case "family": return [scenarios.family, scenarios.families];
    case "topology": return [scenarios.topology, scenarios.topologies];
    case "memory": return [scenarios.memory, scenarios.memories];
  }
}
