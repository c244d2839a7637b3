/**
 * A trace as its file holds it, format `weir-trace/1`: host/trace/src/{header,event,exchange,contract}.rs say the same in Rust.
 *
 * A site may be older than the traces that it shows, so names of kinds are open: what this page does not know is shown by its
 * name, and every event keeps the line that it was read from.
 */
import type { Json } from "../data";

/** A name that is one of these, or one that a newer format has added. */
export type Open<Known extends string> = Known | (string & {});

export type NodeKind =
  | "source" | "agent-state" | "message" | "memory-record" | "proposal" | "decision" | "tool-result" | "commit" | "recovery";
export type EdgeKind = "data-flow" | "structural" | "temporal" | "audit";
export type Hook = "start" | "filter" | "authorize" | "precommit" | "recover" | "endorse" | "render";
export type Verdict = "allow" | "block" | "confirm" | "replace";
export type Repair = "rollback" | "quarantine" | "scrub";

/** A set of labels, one bit each. Sixty-four bits, which a number does not hold. */
export type Labels = bigint;

/** Why one event follows from another. Only data-flow edges carry labels. */
export interface Edge {
  /** The earlier event. */
  parent: number;
  kind: Open<EdgeKind>;
}

/** One argument of a proposal, with where it came from. */
export interface Argument {
  /** Index into the tool's parameters. */
  parameter: number;
  /** Canonical JSON text of the value. */
  value: string;
  /** Labels of the events that the value came from. */
  labels: Labels;
  /** Events in whose content the value was found, oldest first. */
  sources: number[];
}

/** What only one kind of node has. */
export type Body =
  | { type: "text"; origin: string }
  | { type: "message"; to: number | null }
  | { type: "repair"; action: Open<Repair>; target: string; done: boolean }
  | { type: "proposal"; arguments: Argument[] }
  | { type: "decision"; hook: Open<Hook>; verdict: Open<Verdict>; rule: string | null; message: string; fuel: number }
  | { type: "tool-result"; error: boolean }
  | { type: "commit"; targets: string[] }
  | { type: "unknown"; name: string };

/** One node of a trace. */
export interface Event {
  /** Its position in the trace. */
  id: number;
  kind: Open<NodeKind>;
  /** Index into the header's agents. */
  agent: number;
  /** Index into the toolset, and the tool call; null where it belongs to none. */
  tool: number | null;
  call: number | null;
  /** Its own labels and those that data-flow edges carried here. */
  labels: Labels;
  /** What the host and the oracle know; see words.ts. */
  facts: number;
  edges: Edge[];
  /** What a reader or a model sees of it. */
  text: string;
  body: Body;
  /** The event's line, in which nothing is lost. */
  line: string;
}

/** A plugin that took part. */
export interface PluginRef { name: string; digest: string; version?: string }

/** Where a trace came from. */
export type Origin =
  | { kind: "live"; scenario_digest: string; model: string; simulated: boolean; seed: number }
  | { kind: "recorded"; run: { [key: string]: Json } };

/** The predicate on one argument of an authorised action: a name, or one with its operand. */
export type Rule = Open<"any" | "absent"> | {
  equals?: string; "one-of"?: string[]; prefix?: string; "at-most"?: number; "max-length"?: number;
};

/** One entry of the trusted intent ledger (ContainmentBench equation 8). */
export interface Authorization {
  /** The tool's name. */
  action: string;
  /** Every recipient and target of the call must be among these. */
  targets: string[];
  constraints: { argument: string; rule: Rule }[];
}

export interface Ledger { form: string; entries: Authorization[] }

/** What a plugin asked of a model and what came back. */
export interface Exchange {
  request: {
    role: string;
    messages: { speaker: string; content: string }[];
    response_schema?: string;
    max_tokens: number;
  };
  answer: {
    completion?: { text: string; input_tokens: number; output_tokens: number; cost_millionths: number };
    refusal?: string;
  };
}

/** The first line of a trace. */
export interface Header {
  /** Identity of the unit of work. */
  unit: string;
  origin: Origin;
  scenario: string;
  stage: string;
  family: string;
  topology: string;
  memory_mode: string;
  domain: PluginRef;
  policy: PluginRef | null;
  goal: string;
  agents: string[];
  /** Digest of the toolset. */
  toolset: string;
  /** The ledger that the policy was given; of an imported run, all that are known. */
  ledgers: Ledger[];
  /** Names of label bits 8 and up. */
  label_names: string[];
  /** The labels that count as taint. */
  taint_vocabulary: Labels;
  /** Synthetic secrets. */
  canaries: string[];
  /** The oracle's word; null where it is unknown. */
  verdict: { [name: string]: boolean | null };
  memory?: {
    module: string; condition: string; writer: PluginRef | null; view: string | null; method: string | null; gold: boolean;
  };
  /** What plugins asked of models, by the plugin's part: `policy` or `writer`. */
  exchanges?: Record<string, Exchange[]>;
}

/** What an argument means to a side effect. */
export type Role = "recipient" | "target" | "visibility" | "content" | "other";

/** A tool that an agent may call. */
export interface Tool {
  name: string;
  description: string;
  effect: string;
  parameters: { name: string; role: Open<Role>; required: boolean; schema: string }[];
}

/** A whole trace. */
export interface Trace {
  header: Header;
  /** The header's line. */
  line: string;
  /** What events' tool indices point at; empty where the site does not have the toolset. */
  tools: Tool[];
  /** Each at its own index. */
  events: Event[];
  /** SHA-256 that the last line gives. */
  sha256: string;
  /** The bytes that it is over. */
  body: Uint8Array<ArrayBuffer>;
}
