/**
 * Two traces side by side. Events pair by what they are: kind, agent, tool, and what is done or said; a decision, a result and an
 * effect by the call or observation that they are about, so that two answers to one question stand in one row. What finds no such
 * partner pairs with what stands in its place and is of the same kind, agent and tool. Identifiers and edges are no part of it:
 * one event more shifts all that follow.
 */
import { diffArrays } from "diff";
import type { Event, Trace } from "./trace";
import { agentName, facts, labels, toolName } from "./words";

/** A field of two paired events that is not the same. */
export interface Change {
  field: string;
  a: string;
  b: string;
  /** Policies differ here by their names and their cost alone, so that it makes no other course. */
  aside: boolean;
}

/** Two events, or one that has no partner. */
export type Pair =
  | { a: Event; b: Event; changes: Change[] }
  | { a: Event; b: null; changes: [] }
  | { a: null; b: Event; changes: [] };

export type Status = "same" | "aside" | "changed" | "only a" | "only b";

export function status(pair: Pair): Status {
  if (!pair.b) return "only a";
  if (!pair.a) return "only b";
  if (pair.changes.length === 0) return "same";
  return pair.changes.every(({ aside }) => aside) ? "aside" : "changed";
}

/** Facts of a proposal that say again what the decisions and effects behind it say: allowed, blocked, confirmed, committed. */
const BECAME = 0b1_1111_0000;
const ASIDE = ["rule", "message", "fuel", "what became of it"];

/** Whether the two courses part here. */
export function differs(pair: Pair): boolean {
  return !["same", "aside"].includes(status(pair));
}

/** All events of both traces, each once, in both orders. */
export function align(a: Trace, b: Trace): Pair[] {
  const out: Pair[] = [];
  for (const piece of parts(a.events, b.events, keys(a), keys(b))) {
    if (piece.paired) {
      for (const [one, other] of piece.paired) out.push({ a: one, b: other, changes: changes(a, one, b, other) });
      continue;
    }
    for (const inner of parts(piece.a, piece.b, places(a), places(b))) {
      if (inner.paired) for (const [one, other] of inner.paired) out.push({ a: one, b: other, changes: changes(a, one, b, other) });
      else {
        for (const event of inner.a) out.push({ a: event, b: null, changes: [] });
        for (const event of inner.b) out.push({ a: null, b: event, changes: [] });
      }
    }
  }
  return out;
}

type Part = { paired: [Event, Event][] } | { paired: null; a: Event[]; b: Event[] };

/** Runs of events with a longest common subsequence of their keys, and the gaps between them. */
function parts(a: Event[], b: Event[], keyA: (event: Event) => string, keyB: (event: Event) => string): Part[] {
  const out: Part[] = [];
  let [atA, atB] = [0, 0];
  for (const { count, added, removed } of diffArrays(a.map(keyA), b.map(keyB))) {
    const last = out.at(-1);
    const gap = last && !last.paired ? last : { paired: null, a: [], b: [] };
    if (added) gap.b.push(...b.slice(atB, (atB += count)));
    else if (removed) gap.a.push(...a.slice(atA, (atA += count)));
    else {
      const others = b.slice(atB, (atB += count));
      const paired = a.slice(atA, (atA += count)).flatMap((one, index): [Event, Event][] => {
        const other = others[index];
        return other ? [[one, other]] : [];
      });
      out.push({ paired });
      continue;
    }
    if (gap !== last) out.push(gap);
  }
  return out;
}

/** What stands in one place: kind, agent, tool and hook or origin. */
function places(trace: Trace): (event: Event) => string {
  return (event) => {
    const { body } = event;
    const what = body.type === "decision" ? body.hook : body.type === "text" ? body.origin : body.type === "repair" ? body.action : "";
    return JSON.stringify([event.kind, agentName(trace, event.agent), toolName(trace, event), what]);
  };
}

/** What is the same event. */
function keys(trace: Trace): (event: Event) => string {
  const place = places(trace);
  const proposals = new Map(trace.events.flatMap((event) => (event.kind === "proposal" && event.call !== null ? [[event.call, event] as const] : [])));
  const own = (event: Event): string => {
    const { body } = event;
    if (body.type === "proposal") return JSON.stringify([place(event), named(trace, event), event.text]);
    if (body.type === "repair") return JSON.stringify([place(event), body.target]);
    if (body.type === "message") return JSON.stringify([place(event), body.to === null ? null : agentName(trace, body.to), event.text]);
    return JSON.stringify([place(event), event.text]);
  };
  return (event) => {
    const { body } = event;
    if (!["decision", "tool-result", "commit"].includes(body.type)) return own(event);
    const about = body.type === "decision" ? event.edges.find(({ kind }) => kind === "audit")?.parent : undefined;
    const subject = about === undefined ? event.call !== null && proposals.get(event.call) : trace.events[about];
    if (!subject || subject === event) return own(event);
    // A decision on an observation is about an event that may itself be the result of a call.
    return JSON.stringify([place(event), own(subject)]);
  };
}

/** A proposal's arguments by their names. */
function named(trace: Trace, event: Event): [string, string][] {
  if (event.body.type !== "proposal") return [];
  const tool = event.tool === null ? undefined : trace.tools[event.tool];
  return event.body.arguments.map(({ parameter, value }) => [tool?.parameters[parameter]?.name ?? `argument ${parameter}`, value]);
}

function changes(a: Trace, one: Event, b: Trace, other: Event): Change[] {
  const out: Change[] = [];
  const [left, right] = [fields(a, one), fields(b, other)];
  for (const field of new Set([...left.keys(), ...right.keys()])) {
    const [from, to] = [left.get(field) ?? "", right.get(field) ?? ""];
    if (from !== to) out.push({ field, a: from, b: to, aside: ASIDE.includes(field) });
  }
  return out;
}

/** What two events are compared by. */
function fields(trace: Trace, event: Event): Map<string, string> {
  const { body } = event;
  const out = new Map([
    ["labels", labels(trace, event.labels).map(({ name }) => name).join(", ")],
    ["facts", facts(event.facts & ~BECAME).map(({ name }) => name).join(", ")],
    ["what became of it", facts(event.facts & BECAME).map(({ name }) => name).join(", ")],
  ]);
  if (body.type === "decision") {
    out.set("verdict", body.verdict).set("rule", body.rule ?? "").set("message", body.message).set("fuel", String(body.fuel));
    out.set("hook", body.hook);
  }
  if (body.type === "proposal") for (const [name, value] of named(trace, event)) out.set(`argument ${name}`, value);
  if (body.type === "commit") out.set("targets", body.targets.join(", "));
  if (body.type === "repair") out.set("target", body.target).set("done", body.done ? "yes" : "no");
  if (body.type === "message") out.set("to", body.to === null ? "user" : agentName(trace, body.to));
  if (body.type === "unknown") out.set("event", event.line);
  // A decision's text is its message again, but where it takes an observation's place.
  const said = body.type === "proposal" || (body.type === "decision" && event.text === body.message);
  if (!said) out.set("text", event.text);
  return out;
}
