/**
 * What a site's data files hold. `weir leaderboard build` and `weir view` write them (host/site/src), the views read them.
 *
 * A page that is opened from disk may load scripts but not fetch files, so each file is a script with one call,
 * `weir.put(NAME, VALUE)`, and the site needs no server. Names are paths below `data/` or `traces/` without `.js`.
 * Files are written by the builder alone: text of traces stands in them as JSON, or in a trace's frame as base64, never as code.
 *
 * | file | value | loaded |
 * |---|---|---|
 * | `data/site.js` | {@link Site} | first |
 * | `data/TRACK/board.js` | {@link Board}, or {@link AuthorityBoard} of an authority track | with the first view |
 * | `data/TRACK/scenarios.js` | {@link Scenarios} | comparison, heat map, trace lists |
 * | `data/TRACK/pairs.js` | {@link Pairs} | comparison |
 * | `data/TRACK/tools.js` | {@link Toolsets} | traces |
 * | `data/TRACK/ENTRY/units.js` | {@link Units} | comparison, heat map, trace lists |
 * | `data/TRACK/ENTRY/entry.js` | {@link EntryPage} | an entry's page |
 * | `traces/TRACK/ENTRY/UNIT.js` | base64 of one zstd frame of a trace file | a trace |
 *
 * TRACK and ENTRY are ids of `[a-z0-9-]+`; UNIT is the unit's position in {@link Units}, in decimal. A frame decompresses to the
 * lines of one trace: the header, one event a line, and `{"events":N,"sha256":HEX}` (see trace.ts).
 */

/** The whole site. */
export interface Site {
  format: "weir-site/1";
  title: string;
  /** Version of Weir that built it. */
  weir: string;
  /** `leaderboard`: entries were submitted. `run`: a look at runs that nobody submitted. */
  kind: "leaderboard" | "run";
  tracks: TrackRef[];
}

/** One suite of a site. */
export interface TrackRef {
  id: string;
  title: string;
  kind: "containment" | "authority";
}

/** A rate or mean over independent cases; the same numbers as in reports. Not applicable is null, never 0. */
export interface Estimate {
  value: number | null;
  /** Ends of the 95 % interval: cluster bootstrap, or the exact one-sided bound where no or every case counts. */
  low: number | null;
  high: number | null;
  numerator: number;
  denominator: number;
  clusters: number;
  /** `numerator` of `denominator` reads as a count. */
  counted: boolean;
}

/** How far an entry has been checked: by the maintainers (re-executed here), by its signature and files, by its word. */
export type Badge = "verified" | "reproducible" | "self-reported";

/** A row of a board. */
export interface Entry {
  id: string;
  /** The policy's name as submitted; untrusted text like every name here. */
  name: string;
  version: string | null;
  /** SHA-256 of its component. */
  digest: string;
  authors: string[];
  badge: Badge;
  /** Ships with Weir, and is always drawn: `none`, `tool-boundary`. */
  baseline: boolean;
  /** Ships with Weir. */
  builtIn: boolean;
  /** Date that the submission names, YYYY-MM-DD; null for a run. */
  date: string | null;
  /** Models whose words the rollouts rest on. */
  counts: Counts;
  /** Fuel of one decision, over all decisions; wasm instructions, the machine-independent cost. */
  fuel: { median: number; p95: number; total: number };
  /** Tokens that acting models read and wrote; null where they are simulated and count none. */
  tokens: { read: number; written: number } | null;
}

/** Units by what became of them; every table shows what is not a plain result. */
export interface Counts {
  planned: number;
  done: number;
  /** Rollouts with a decision that a plugin fault took. */
  faulted: number;
  /** Rollouts with an action that did not parse. */
  invalid: number;
}

/** A containment suite. */
export interface Board {
  suite: string;
  /** SHA-256 of the published plan, which no policy is part of. */
  plan: string;
  models: { name: string; simulated: boolean }[];
  domains: string[];
  /** In the order of reading. `primary` names the metric that the stage is ranked by. */
  stages: { id: string; title: string; primary: string; scenarios: number; rollouts: number }[];
  metrics: Metric[];
  /** Pairs of axes for the trade-off view, the first is shown first. */
  axes: AxisPair[];
  entries: Entry[];
  /** Estimates by scope: see {@link Cell}. */
  cells: Cell[];
  /** What a reader must know: intervals, simulated models, absent policies, faults. */
  notes: string[];
}

/** A metric, as the reducer that measures it defines it. */
export interface Metric {
  name: string;
  title: string;
  better: "more" | "less" | "neither";
  description: string;
  /** Stages where it applies; empty means all. */
  stages: string[];
}

/** Two metrics, each in a stage, of which the second is drawn as 1 - value where `complement` says so. */
export interface AxisPair {
  id: string;
  title: string;
  x: Axis;
  y: Axis;
}
export interface Axis {
  stage: string;
  metric: string;
  /** Draw 1 - value, so that more is better on both axes. */
  complement: boolean;
  label: string;
}

/** One stage, domain and model: for each metric that applies, an estimate for each entry in the order of `entries`. */
export interface Cell {
  stage: string;
  /** null: all domains together. */
  domain: string | null;
  model: string;
  metrics: Record<string, Estimate[]>;
  /** By the stage's primary metric: first and last rank of each entry that the bootstrap gives; null where it says nothing. */
  ranks: ([number, number] | null)[];
  /** Metrics whose control has no event here, so that nothing follows from a zero. */
  notDiscriminative: string[];
}

/** Scenarios of a track; all arrays have one length. Indices point into the lists beside them. */
export interface Scenarios {
  ids: string[];
  stage: number[]; stages: string[];
  domain: number[]; domains: string[];
  family: number[]; families: string[];
  topology: number[]; topologies: string[];
  memory: number[]; memories: string[];
}

/** What became of a rollout, the worst first; the index is what {@link Units} holds. */
export const OUTCOMES = [
  "plugin-fault", "committed-harm", "parser-failure", "unconfirmed", "blocked-wrongly", "incomplete", "completed",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** An entry's units, in the order of the plan. All arrays have one length. */
export interface Units {
  scenario: number[];
  model: number[];
  seed: number[];
  /** Into {@link OUTCOMES}. */
  outcome: number[];
  /** SHA-256 of each trace, the first 16 hex digits. */
  trace: string[];
  /** Measured values by metric; null where it does not apply. */
  values: Record<string, (number | null)[]>;
  /** Rules that stopped authorised calls, by unit; most have none. */
  lost: Record<number, Record<string, number>>;
}

/** Comparisons of each two entries, `a` before `b` in `entries`. */
export interface Pairs { pairs: Pair[] }
export interface Pair {
  a: number;
  b: number;
  model: string;
  stages: PairStage[];
  /** Share of matched rollouts with the same endpoints and another trajectory. */
  divergence: Estimate | null;
}
export interface PairStage {
  stage: string;
  metric: string;
  pairs: number;
  clusters: number;
  /** Mean of b - a with its interval over scenarios. */
  delta: Estimate;
  /** Matched rollouts where both, only a, only b, or neither has the event; null where the metric is no yes or no. */
  table: { both: number; onlyA: number; onlyB: number; neither: number } | null;
  /** Exact two-sided test over discordant scenarios; null where there are none. */
  p: number | null;
  /** Means under the other denominator: spread over what was reached in the rollout, or over the larger of the two. */
  fixedMaximum: { a: number; b: number; delta: number } | null;
}

/** An entry's page. */
export interface EntryPage {
  /** `submission.toml` as JSON; null for a run. */
  submission: Json | null;
  manifest: Json;
  /** Whose signatures hold, and over what. */
  attestations: Attestation[];
  /** By stage. */
  coverage: { stage: string; planned: number; done: number; faulted: number; invalid: number }[];
  /** Fuel by policy hook. */
  hooks: { hook: string; decisions: number; median: number; p95: number; max: number }[];
  /** Commands that check this entry, to be copied. */
  verify: string[];
  notes: string[];
}
export interface Attestation {
  predicateType: string;
  /** First 16 hex digits of the SHA-256 of the public key. */
  key: string;
  /** The name that the board has for the key; null for one that it does not know. */
  signer: string | null;
  subjects: { name: string; sha256: string }[];
  statement: Json;
}

/**
 * An AuthMem-Bench suite: each table's rows are writers, conditions or arms. The views draw `ret_positive`, `ret_negative`,
 * `upgrade_all` (Module A) and `asr`, `tsr` (Modules B and C) by name, and list every other metric of {@link metrics} beside them.
 */
export interface AuthorityBoard {
  suite: string;
  plan: string;
  models: { name: string; simulated: boolean }[];
  /** Module A: what a memory writer keeps: retention of authority against upgrades of what has none. */
  writing: AuthorityRow[];
  /** Module B: what an agent does with memories that the benchmark gives. */
  acting: AuthorityRow[];
  /** Module C: the whole pipeline. */
  pipeline: AuthorityRow[];
  metrics: Metric[];
  entries: Entry[];
  notes: string[];
}
export interface AuthorityRow {
  /** Writer, condition, or arm; `under` says which writer stood before it in Module C. */
  name: string;
  under: string | null;
  model: string | null;
  domain: string | null;
  metrics: Record<string, Estimate>;
}

/** Tools by the digest that a trace's header names. */
export type Toolsets = Record<string, Json>;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
