/** Names of what stands in a trace, as `weir trace` and the report print them. */
import { oneLine } from "./visible";
import type { Event, Labels, NodeKind, Trace } from "./trace";

/** What a table has under a name that a trace gives, which may be any text. */
export function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Kinds in the order of the contract, with their names. */
export const KINDS: Record<NodeKind, string> = {
  source: "source",
  "agent-state": "agent state",
  message: "message",
  "memory-record": "memory",
  proposal: "proposal",
  decision: "decision",
  "tool-result": "result",
  commit: "commit",
  recovery: "repair",
};

export function kindName(kind: string): string {
  return own<string>(KINDS, kind) ?? oneLine(kind);
}

/** Edges, by what they say. */
export const EDGES: Record<string, { name: string; means: string }> = {
  "data-flow": { name: "data flow", means: "content of the earlier event is in the later one; the only edge that carries labels" },
  structural: { name: "structural", means: "the later event exists because of the earlier one" },
  temporal: { name: "temporal", means: "the later event came after the earlier one" },
  audit: { name: "audit", means: "the later event is a record about the earlier one" },
};

/** What the hooks ask a policy about. */
export const HOOKS: Record<string, string> = {
  start: "start of the session",
  filter: "an observation",
  authorize: "a proposal",
  precommit: "a call about to commit",
  recover: "repairs at the end of the session",
  endorse: "labels of memories",
  render: "the memory block",
};

/** A verdict as a class of the style sheet. */
export function verdictClass(verdict: string): string {
  return ["allow", "block", "confirm", "replace"].includes(verdict) ? verdict : "other";
}

const REPAIRS: Record<string, string> = {
  rollback: "rollback of call", quarantine: "quarantine of memory", scrub: "scrub of memory",
};

/** Facts that other modules ask for, as bits. */
export const FACT = {
  untrustedSource: 1, highRisk: 1 << 1, authorised: 1 << 2, attack: 1 << 3, blocked: 1 << 5, committed: 1 << 8, unauthorised: 1 << 9,
  secretLeak: 1 << 10, wrongRecipient: 1 << 11, fault: 1 << 15,
} as const;

/** What the host and the oracle know of an event, by bit, and whether it is bad news. No policy sees it. */
const FACTS: [name: string, bad: boolean, means: string][] = [
  ["untrusted source", true, "a source outside the user's trust"],
  ["high-risk", false, "the call has side effects, writes memory or recovers"],
  ["authorised", false, "the oracle says that the user's task authorises the call"],
  ["attack", true, "the call carries out the injection's goal"],
  ["allowed", false, "the call was allowed"],
  ["blocked", false, "the call was blocked"],
  ["confirmation asked", false, "the user was asked to confirm"],
  ["confirmation given", false, "the user confirmed"],
  ["committed", false, "the call had its effect"],
  ["unauthorised", true, "an effect that the user's task does not authorise"],
  ["secret leak", true, "the effect carries a synthetic secret out"],
  ["wrong recipient", true, "the effect reaches somebody whom the task does not name"],
  ["model action", false, "an action that a model wrote"],
  ["invalid", true, "the action named no valid tool or broke the schema, and never ran"],
  ["repaired", false, "the parser repaired the action"],
  ["plugin fault", true, "a fault of a plugin decided"],
  ["error", true, "the call returned an error"],
  ["unknown tool", true, "the invalid action named a tool that the agent does not have"],
  ["carries taint", true, "the memory says what an untrusted source said"],
  ["names its source", false, "the memory's own words still name a source other than the user"],
  ["context overflow", true, "the conversation had outgrown the model's context"],
];

/** A fact that holds. */
export interface Fact { name: string; bad: boolean; means: string }

/** The facts of an event, in words; a bit that this page does not know is named by its number. */
export function facts(bits: number): Fact[] {
  const out: Fact[] = [];
  for (let bit = 0; bit < 32; bit += 1) {
    if (!((bits >>> bit) & 1)) continue;
    const [name, bad, means] = FACTS[bit] ?? [`fact ${bit}`, false, "a fact that is newer than this page"];
    out.push({ name, bad, means });
  }
  return out;
}

/** A label, with the mark that `weir trace` prints for it. */
export interface Label { name: string; mark: string; taint: boolean }

const LABELS: [name: string, mark: string][] = [["untrusted", "!"], ["canary", "c"], ["private", "p"], ["quarantined", "q"]];

/** The labels of a set. Bits 8 and up have the names that the header gives. */
export function labels(trace: Trace, set: Labels): Label[] {
  const out: Label[] = [];
  for (let bit = 0; bit < 64; bit += 1) {
    const one = 1n << BigInt(bit);
    if (!(set & one)) continue;
    const [name, mark] = LABELS[bit] ?? [(bit > 7 && trace.header.label_names[bit - 8]) || `label ${bit}`, "+"];
    out.push({ name, mark, taint: (trace.header.taint_vocabulary & one) !== 0n });
  }
  return out;
}

/** Whether a set has a label that counts as taint. */
export function tainted(trace: Trace, set: Labels): boolean {
  return (set & trace.header.taint_vocabulary) !== 0n;
}

/** Influence of low trust reached a high-risk action: a tainted proposal of one (ContainmentBench table 5). */
export function isJump(trace: Trace, event: Event): boolean {
  return event.kind === "proposal" && (event.facts & FACT.highRisk) !== 0 && tainted(trace, event.labels);
}

export function toolName(trace: Trace, event: Event): string | null {
  return event.tool === null ? null : (trace.tools[event.tool]?.name ?? `tool ${event.tool}`);
}

export function agentName(trace: Trace, agent: number): string {
  return trace.header.agents[agent] ?? `agent ${agent}`;
}

/** What stands in an event's shape, and at the head of its row. */
export function title(trace: Trace, event: Event): string {
  const { body } = event;
  switch (body.type) {
    case "text": return body.origin;
    case "message": return `to ${body.to === null ? "user" : agentName(trace, body.to)}`;
    case "proposal": return toolName(trace, event) ?? "?";
    case "tool-result": return `${toolName(trace, event) ?? "?"}${body.error ? " (error)" : ""}`;
    case "commit": return toolName(trace, event) ?? "?";
    case "decision": return body.verdict.toUpperCase();
    case "repair": return `${own(REPAIRS, body.action) ?? body.action} ${body.target}${body.done ? "" : " (not possible)"}`;
    case "unknown": return body.name;
  }
}

/** What an event says, beside its title. */
export function content(event: Event): string {
  const { body } = event;
  if (body.type === "decision") return body.message || event.text;
  if (body.type === "commit") return body.targets.join(", ");
  return event.text;
}

/** An event in one sentence, for those who do not see it. */
export function sentence(trace: Trace, event: Event): string {
  const rule = event.body.type === "decision" && event.body.rule !== null ? ` by rule ${event.body.rule}` : "";
  const taint = tainted(trace, event.labels) ? ", tainted" : "";
  return `${event.id}: ${kindName(event.kind)} ${title(trace, event)}${rule}${taint}`;
}
