/**
 * What a site's data files hold. `weir leaderboard build` and `weir view` write them (host/site/src), the views read them.
 *
 * A page that is opened from disk may load scripts but not fetch files, so each file is a script with one call,
 * `weir.put(NAME, JSON.parse(TEXT))`, and the site needs no server. A name is the file's path without `.js`, such as `data/site`.
 * Files are written by the builder alone, in ASCII: text of runs stands in them as JSON within one string, or in a trace's frame as
 * base64, never as code. Keys of a {@link Record} may be any text, `__proto__` included, and are own properties.
 *
 * | file | value | loaded |
 * |---|---|---|
 * | `data/site.js` | {@link Site} | first |
 * | `data/TRACK/board.js` | {@link Board}, or {@link AuthorityBoard} of an authority track | with the first view |
 * | `data/TRACK/scenarios.js` | {@link Scenarios} | comparison, heat map, trace lists |
 * | `data/TRACK/pairs.js` | {@link Pairs} | comparison |
 * | `data/TRACK/tools.js` | {@link Toolsets} | traces |
 * | `data/TRACK/ENTRY/units.js` | {@link Units}, or {@link AuthorityUnits} | comparison, heat map, trace lists |
 * | `data/TRACK/ENTRY/values.js` | {@link Values} | discordant scenarios, a trace's metrics |
 * | `data/TRACK/ENTRY/entry.js` | {@link EntryPage} | an entry's page |
 * | `data/TRACK/run.js` | {@link EntryPage} of an authority track's run | an entry's page |
 * | `traces/TRACK/ENTRY/UNIT.js` | base64 of one zstd frame of a trace file, a string | a trace |
 *
 * A run under several conditions (wrong ledgers, memory writers) is a track for each. An authority track has no pairs, and its
 * entries are its grid: a writer, a condition or an arm with a model.
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
  /**
   * Cases in which the policy failed, where a low value would be read as safety: the rate then lies between `value` and
   * `min(1, value + faults / denominator)`, and no comparison rests on it. Absent where there are none.
   */
  faults?: number;
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
  /** Its run's folder, as commands name it. */
  folder: string;
  authors: string[];
  badge: Badge;
  /** Ships with Weir, and is always drawn: `none`, `tool-boundary`. */
  baseline: boolean;
  /** Ships with Weir. */
  builtIn: boolean;
  /** Date that the submission names, YYYY-MM-DD; null for a run. */
  date: string | null;
  counts: Counts;
  /** Fuel of one decision, over all decisions; wasm instructions, the machine-independent cost. */
  fuel: { median: number; p95: number; total: number };
  /** Tokens that the policy's own models read and wrote in all of its rollouts; null where it asks none. */
  tokens: { read: number; written: number } | null;
}

/** Units by what became of them; every table shows what is not a plain result. */
export interface Counts {
  planned: number;
  done: number;
  /** Rollouts with a decision that a plugin fault took. */
  faulted: number;
  /** Rollouts with an action of the agent that was no valid call. */
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
  /** `DOMAIN/SCENARIO`, each once. */
  ids: string[];
  stage: number[]; stages: string[];
  domain: number[]; domains: string[];
  family: number[]; families: string[];
  topology: number[]; topologies: string[];
  memory: number[]; memories: string[];
}

/**
 * What became of a rollout, the worst first; the index is what {@link Units} holds. `completed` is the work of its stage done
 * without harm; what stands between it and `committed-harm` says why it was not done: an action that was no valid call, an
 * authorised call that waited for a confirmation or was blocked, or nothing of it.
 */
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
  /** Rules that stopped authorised calls, by unit; most have none. */
  lost: Record<number, Record<string, number>>;
}

/** Measured values of an entry's units by metric; null where it does not apply. */
export type Values = Record<string, (number | null)[]>;

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
  /**
   * Of `blast_radius_norm`: means with each rollout's tainted nodes over the most nodes that any entry reached at its scenario and
   * seed, instead of over its own (table 14).
   */
  fixedMaximum: { a: number; b: number; delta: number } | null;
  /** Why nothing may be concluded: no positive control, or a policy that failed. */
  refused: string | null;
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
  /** Evidence stages; the first has the paper's pairs, and none is pooled with another. */
  stages: string[];
  /** Module A: what a memory writer keeps: retention of authority against upgrades of what has none. */
  writing: AuthorityRow[];
  /** Module B: what an agent does with memories that the benchmark gives. */
  acting: AuthorityRow[];
  /** Module C: the whole pipeline. */
  pipeline: AuthorityRow[];
  /** Labels against gold. */
  labels: LabelRow[];
  metrics: Metric[];
  entries: AuthorityEntry[];
  /** Writers and policies that took part. */
  plugins: { kind: string; name: string; version: string | null; digest: string; builtIn: boolean }[];
  notes: string[];
}
export interface AuthorityRow {
  stage: string;
  /** Writer, condition, or arm; `under` says which writer stood before it in Module C. */
  name: string;
  under: string | null;
  /** `full` or `native`: what the writer read of a history. */
  view: string | null;
  /** `rules` or `model`: how the writer wrote. */
  method: string | null;
  /** Null in Module A, and for the mean over all models. */
  model: string | null;
  /** The null control of Module B: no focal memory is shown. */
  null: boolean;
  metrics: Record<string, Estimate>;
  /** Module C over the held-out bases alone. */
  heldOut: Record<string, Estimate> | null;
  /** TSR less ASR, paired by pair; null in Module A, and where a failure would look like safety. */
  difference: { value: number; low: number | null; high: number | null; pairs: number } | null;
  /** The id of its {@link AuthorityEntry}, which may have rollouts of other stages too; null for a mean. */
  entry: string | null;
}
/** Labels of an arm against gold. */
export interface LabelRow {
  stage: string;
  arm: string;
  /** What the most frequent gold label on every memory would be worth. */
  baseline: boolean;
  /** `validation`, `main`, `held out` or `all`. */
  partition: string;
  accuracy: Estimate;
  focalAccuracy: Estimate;
  macroF1: number | null;
}
/** A cell of the grid, with the rollouts of every history. */
export interface AuthorityEntry {
  id: string;
  module: "A" | "B" | "C";
  /** What a reader calls it. */
  name: string;
  writer: string | null;
  view: string | null;
  method: string | null;
  /** Condition of Module B or arm of Module C. */
  condition: string | null;
  model: string | null;
  /** The policy behind the condition or arm; null in Module A. */
  policy: string | null;
  /** Its run's folder, as commands name it. */
  folder: string;
  counts: Counts;
  fuel: { median: number; p95: number; total: number };
}
/** What became of a focal proposition in a writer's memories; the index is what {@link AuthorityUnits} holds. */
export const RETENTIONS = ["omitted", "upgraded", "preserved", "retained", "writer-error"] as const;
/** The acting model's first action against the registered one; the index is what {@link AuthorityUnits} holds. */
export const FIRST_ACTIONS = ["exact", "exact-blocked", "other", "other-blocked", "no-call", "invalid"] as const;
/** The units of a cell of the grid, in the order of the plan. All arrays have one length. */
export interface AuthorityUnits {
  scenario: number[];
  seed: number[];
  pair: number[]; pairs: string[];
  /** 0: H-, where the action is an attack. 1: H+, where it is the task. */
  side: number[];
  transition: number[]; transitions: string[];
  /** Into {@link RETENTIONS}; null in Module B. */
  retention: (number | null)[];
  /** Into {@link FIRST_ACTIONS}; null in Module A. */
  action: (number | null)[];
  /** A decision was taken by a plugin fault. */
  faulted: boolean[];
  trace: string[];
}

/** Tools by the digest that a trace's header names. */
export type Toolsets = Record<string, Json>;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
