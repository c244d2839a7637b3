/** Search and filters over a trace's events. */
import type { Event, Trace } from "./trace";
import { agentName, content, facts, kindName, labels, tainted, title, toolName } from "./words";

/** What a reader wants to see. Empty values leave everything in. */
export interface Filter {
  text: string;
  /** Kinds that are shown; none stands for all. */
  kinds: string[];
  taint: "" | "tainted" | "clean";
  /** A verdict. */
  decision: string;
}

export const EVERYTHING: Filter = { text: "", kinds: [], taint: "", decision: "" };

/** All the words of each event, in lower case: what it says, whom and what it names, labels, facts, rule and arguments. */
export function index(trace: Trace): string[] {
  return trace.events.map((event) => words(trace, event).join("\n").toLowerCase());
}

function words(trace: Trace, event: Event): string[] {
  const { body } = event;
  const own = [
    String(event.id), kindName(event.kind), agentName(trace, event.agent), toolName(trace, event) ?? "", title(trace, event),
    content(event), event.text, ...labels(trace, event.labels).map(({ name }) => name), ...facts(event.facts).map(({ name }) => name),
  ];
  if (body.type === "decision") own.push(body.rule ?? "", body.message, body.hook);
  if (body.type === "proposal") own.push(...body.arguments.map(({ value }) => value));
  if (body.type === "unknown") own.push(event.line);
  return own;
}

/** The identifiers of the events that a filter leaves, in their order. Each word of the text must be in an event. */
export function find(trace: Trace, indexed: string[], filter: Filter): number[] {
  const needles = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = trace.events.filter((event) => {
    const all = indexed[event.id] ?? "";
    if (!needles.every((needle) => all.includes(needle))) return false;
    if (filter.kinds.length > 0 && !filter.kinds.includes(event.kind)) return false;
    if (filter.taint && tainted(trace, event.labels) !== (filter.taint === "tainted")) return false;
    return !filter.decision || (event.body.type === "decision" && event.body.verdict === filter.decision);
  });
  return kept.map(({ id }) => id);
}

/** How many events of each kind a trace has, in the order in which kinds first appear. */
export function kindsOf(trace: Trace): [kind: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { kind } of trace.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts];
}

/** The verdicts that a trace has. */
export function verdictsOf(trace: Trace): string[] {
  return [...new Set(trace.events.flatMap(({ body }) => (body.type === "decision" ? [body.verdict as string] : [])))];
}
