// A language of small rules over tools and their arguments, in the manner of Progent. A line is a rule:
//
//   NAME: allow|forbid TOOL [if CONDITION [and CONDITION ...]]
//
// TOOL is a tool's name, `*` at its end standing for anything. A condition is one of
//
//   ARGUMENT is VALUE          every value of the argument is this one
//   ARGUMENT in (V, V, ...)    ... is one of these
//   ARGUMENT starts with TEXT  ... begins so
//   ARGUMENT ends with TEXT    ... ends so
//   ARGUMENT matches /REGEX/   ... has this in it
//   ARGUMENT at most NUMBER    ... is a number no greater than this
//   ARGUMENT absent            it is left out or empty
//   any ROLE tainted           an argument of this role comes from untrusted content
//   secret                     a secret would leave
//   authorised                 the user's ledger has an entry that the call matches
//
// What a `forbid` rule speaks of is forbidden, whatever else allows it; then the first `allow` rule that holds decides. A call
// with side effects of which no rule speaks is forbidden, any other is allowed.

import { Ledger, leaves } from '../vendor/weir-plugin/index.js';

const LINE = /^([a-z0-9_]+):\s+(allow|forbid)\s+([\w*]+)(?:\s+if\s+(.+))?$/;
const ROLES = ['recipient', 'target', 'visibility', 'content', 'other'];

/** Reads rules. Throws an error that names the line. */
export function parse(text) {
  const rules = [];
  for (const [index, line] of text.split('\n').entries()) {
    const rule = line.replace(/#.*$/, '').trim();
    if (rule === '') continue;
    const parts = LINE.exec(rule);
    if (parts === null) throw new SyntaxError(`line ${index + 1}: not a rule: ${rule}`);
    const [, name, effect, tool, conditions = ''] = parts;
    if (rules.some((known) => known.name === name)) throw new SyntaxError(`line ${index + 1}: a second rule ${name}`);
    const tests = conditions === '' ? [] : conditions.split(/\s+and\s+/).map((each) => condition(each, index + 1));
    rules.push({ name, effect, tool, tests });
  }
  return rules;
}

/** The rule that decides a call; undefined where none speaks of it. */
export function decide(rules, episode, proposal) {
  const call = new Call(episode, proposal);
  const holds = (rule) => named(rule.tool, call.tool) && rule.tests.every((test) => test(call));
  return (
    rules.find((rule) => rule.effect === 'forbid' && holds(rule)) ??
    rules.find((rule) => rule.effect === 'allow' && holds(rule))
  );
}

/** A call as conditions ask about it. */
class Call {
  constructor(episode, proposal) {
    this.ledger = new Ledger(episode);
    this.proposal = proposal;
    this.tool = this.ledger.tool(proposal)?.name ?? '';
    this.entry = this.ledger.matching(proposal);
  }

  /** The values of an argument, as texts; none where it is left out or empty. */
  values(name) {
    const given = this.proposal.arguments.filter((argument) => this.ledger.name(this.proposal, argument) === name);
    return given.flatMap((argument) => leaves(argument.value));
  }

  tainted(role) {
    return this.proposal.arguments.some(
      (argument) => this.ledger.role(this.proposal, argument) === role && this.ledger.isTaint(argument.labels),
    );
  }
}

function named(pattern, tool) {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

function condition(text, line) {
  if (text === 'secret') return (call) => call.ledger.leak(call.proposal, call.entry) !== undefined;
  if (text === 'authorised') return (call) => call.entry !== undefined;
  const taint = /^any (\w+) tainted$/.exec(text);
  if (taint !== null && ROLES.includes(taint[1])) return (call) => call.tainted(taint[1]);
  const absent = /^(\w+) absent$/.exec(text);
  if (absent !== null) return (call) => call.values(absent[1]).length === 0;
  const parts = /^(\w+) (is|in|starts with|ends with|matches|at most) (.+)$/.exec(text);
  if (parts === null) throw new SyntaxError(`line ${line}: not a condition: ${text}`);
  const test = comparison(parts[2], parts[3], line);
  // An argument that is not there satisfies nothing.
  return (call) => {
    const values = call.values(parts[1]);
    return values.length > 0 && values.every(test);
  };
}

function comparison(operator, operand, line) {
  const wrong = () => new SyntaxError(`line ${line}: \`${operator}\` cannot take ${operand}`);
  switch (operator) {
    case 'is':
      return (value) => value === operand;
    case 'starts with':
      return (value) => value.startsWith(operand);
    case 'ends with':
      return (value) => value.endsWith(operand);
    case 'in': {
      const list = /^\((.+)\)$/.exec(operand)?.[1].split(',').map((each) => each.trim());
      if (list === undefined) throw wrong();
      return (value) => list.includes(value);
    }
    case 'matches': {
      const source = /^\/(.+)\/$/.exec(operand)?.[1];
      if (source === undefined) throw wrong();
      const pattern = new RegExp(source, 'u');
      return (value) => pattern.test(value);
    }
    default: {
      const bound = Number(operand);
      if (!Number.isFinite(bound)) throw wrong();
      return (value) => value.trim() !== '' && Number(value) <= bound;
    }
  }
}
