// Helpers for a policy's own tests: a small mail episode, and ways to write proposals and ledgers in one line.
//
// The episode has one agent and six tools: `read` (a read), `send` (a side effect with `to`, `bcc`, `subject`, `body`), `share` (a
// side effect with `file`, `with`, `visibility`), `remember` (a memory write with `key`, `value`, `scope`), `update` (a side effect
// on the user's own `object` with `value`) and `scrub` (a recovery with `key`).

import { host } from './host.js';

const UNKNOWN = 2 ** 32 - 1;
const texts = new Map();

/** The mail episode with this ledger. */
export function episode(ledger = []) {
  return {
    goal: 'a goal',
    ledger,
    tools: [
      tool('read', 'read', { query: 'other' }),
      tool('send', 'side-effect', { to: 'recipient', bcc: 'recipient', subject: 'content', body: 'content' }),
      tool('share', 'side-effect', { file: 'target', with: 'recipient', visibility: 'visibility' }),
      tool('remember', 'memory-write', { key: 'target', value: 'content', scope: 'visibility' }),
      tool('update', 'side-effect', { object: 'target', value: 'content' }),
      tool('scrub', 'recovery', { key: 'target' }),
    ],
    agents: ['assistant'],
    labelNames: [],
    taintVocabulary: 1n,
  };
}

/** A ledger entry: an action, its targets, and a rule for each argument that it speaks of. */
export function permit(action, targets, rules = {}) {
  return { action, targets, constraints: Object.entries(rules).map(([argument, rule]) => ({ argument, rule })) };
}

/**
 * A proposal of one of the mail episode's tools, each value and the context under these labels. Unknown names become the index
 * 4294967295.
 */
export function propose(name, values = {}, labels = 0n) {
  const { tools } = episode();
  const position = index(tools, name);
  const parameters = tools[position]?.parameters ?? [];
  const given = Object.entries(values).map(([parameter, value]) => ({
    parameter: index(parameters, parameter),
    value: JSON.stringify(value),
    labels,
    sources: [],
  }));
  return { event: 1, callId: 0, agent: 0, tool: position, arguments: given, labels };
}

/** Gives the text that `host.text` returns for an event, and in which `host.find` looks. */
export function setText(event, text) {
  texts.set(event, text);
}

function tool(name, effect, roles) {
  const parameters = Object.entries(roles).map(([name, role]) => ({ name, role, required: false, schema: '{}' }));
  return { name, description: '', effect, parameters };
}

function index(named, name) {
  const found = named.findIndex((each) => each.name === name);
  return found === -1 ? UNKNOWN : found;
}

// What the component gets from Weir.
host.imports = {
  log: { write: (level, message) => console.log(`${level}: ${message}`) },
  transcript: {
    text: (event) => texts.get(event),
    find(text, limit) {
      const found = [...texts.keys()].filter((event) => text !== '' && texts.get(event).includes(text));
      return found.sort((a, b) => a - b).slice(0, limit);
    },
  },
};
