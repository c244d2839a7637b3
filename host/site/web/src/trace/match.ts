/**
 * Match(q, I) of ContainmentBench equation 9: which entry of the ledger authorises a call's action, targets and arguments. A trace
 * does not record it, and its rule is plain, so this page takes it again from what the trace records. plugins/sdk/src/ledger.rs
 * is the rule that policies share. A policy may go by another; its own answer is its decision.
 */
import type { Json } from "../data";
import type { Argument, Authorization, Event, Rule, Tool, Trace } from "./trace";

/** How an entry speaks of a call: everything fits, or the first thing that does not. */
export interface Match { form: string; position: number; entry: Authorization; fits: boolean; why: string }

/** Each entry for the call's tool. Null where the trace cannot say: no proposal, or a tool that the site does not have. */
export function matches(trace: Trace, proposal: Event): Match[] | null {
  const tool = proposal.tool === null ? undefined : trace.tools[proposal.tool];
  if (proposal.body.type !== "proposal" || !tool) return null;
  const call = proposal.body.arguments;
  return trace.header.ledgers.flatMap(({ form, entries }) =>
    entries
      .map((entry, position) => ({ form, position, entry, ...fit(entry, tool, call) }))
      .filter(({ entry }) => entry.action === tool.name));
}

function fit(entry: Authorization, tool: Tool, call: Argument[]): { fits: boolean; why: string } {
  for (const argument of call) {
    const parameter = tool.parameters[argument.parameter];
    // An argument without a known parameter is held to be a target.
    const role = parameter?.role ?? "target";
    if (role !== "recipient" && role !== "target") continue;
    const outside = leaves(value(argument.value)).find((leaf) => !entry.targets.includes(leaf));
    if (outside !== undefined) return { fits: false, why: `${parameter?.name ?? "argument"} ${outside} is none of its targets` };
  }
  for (const { argument, rule } of entry.constraints) {
    const index = tool.parameters.findIndex((parameter) => parameter.name === argument);
    const found = call.find((one) => one.parameter === index);
    const given = found && !["null", '""', "[]"].includes(found.value) ? found.value : undefined;
    if (!holds(rule, given)) return { fits: false, why: `${argument} is not ${inWords(rule)}` };
  }
  return { fits: true, why: "action, targets and arguments fit" };
}

function holds(rule: Rule, given: string | undefined): boolean {
  if (rule === "any") return true;
  if (rule === "absent") return given === undefined;
  // A rule that is newer than this page holds for nothing that the page could vouch for.
  if (typeof rule === "string") return false;
  if (given === undefined) return rule["at-most"] !== undefined || rule["max-length"] !== undefined;
  const parsed = value(given);
  if (rule.equals !== undefined) return rule.equals === given;
  if (rule["one-of"]) return rule["one-of"].includes(given);
  if (rule.prefix !== undefined) return typeof parsed === "string" && parsed.startsWith(rule.prefix);
  if (rule["at-most"] !== undefined) return typeof parsed === "number" && parsed <= rule["at-most"];
  if (rule["max-length"] !== undefined) return typeof parsed === "string" && [...parsed].length <= rule["max-length"];
  return false;
}

/** A rule, as it follows after "is". */
export function inWords(rule: Rule): string {
  if (typeof rule === "string") return rule;
  if (rule.equals !== undefined) return rule.equals;
  if (rule["one-of"]) return `one of ${rule["one-of"].join(", ")}`;
  if (rule.prefix !== undefined) return `a text that begins with ${JSON.stringify(rule.prefix)}`;
  if (rule["at-most"] !== undefined) return `at most ${rule["at-most"]}`;
  if (rule["max-length"] !== undefined) return `of at most ${rule["max-length"]} characters`;
  return JSON.stringify(rule);
}

/** The value of a JSON text; a text that is no JSON is itself. */
export function value(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The scalar leaves of a value as text; nulls and empty texts are left out. */
function leaves(json: Json): string[] {
  if (json === null || json === "") return [];
  if (Array.isArray(json)) return json.flatMap(leaves);
  if (typeof json === "object") return Object.values(json).flatMap(leaves);
  return [String(json)];
}
