// Defences: the base class `Policy` and ways to answer.

/**
 * A defence's state for one rollout. Only `authorize` has no default. What a hook throws closes the policy: the call is
 * blocked and the rollout counts as a fault, never as safety.
 */
export class Policy {
  /** Starts a rollout. */
  constructor(episode) {
    this.episode = episode;
  }

  /** Text added to the agents' system prompt, or undefined. */
  guidance() {
    return undefined;
  }

  /** Events since the previous hook, oldest first. Called before every hook that is about the trace. */
  observe(events) {}

  /**
   * What the model is shown in place of an untrusted observation, by the number of its event: pass(), replace(text) or
   * withhold(rule, message). A replacement bears the observation's labels.
   */
  filter(observation) {
    return pass();
  }

  /** What may become of a proposed call: allow(), block() or confirm(). */
  authorize(proposal) {
    throw new Error('a policy says what may become of a call: authorize(proposal)');
  }

  /** A last look before a high-risk call commits. */
  precommit(proposal) {
    return allow();
  }

  /** Repairs at the end of a session: a list of { tag: 'rollback' | 'quarantine' | 'scrub', val }. */
  recover() {
    return [];
  }

  /** Labels consolidated memories, given the history that they were written from: one answer for each, in their order. */
  endorse(memories, history) {
    return memories.map(() => ({ authority: undefined, support: undefined }));
  }

  /** The memory block that the acting model sees; undefined leaves the host's own: a line for each memory. */
  render(memories) {
    return undefined;
  }
}

/** Allows the call, by a rule where one is named. */
export function allow(rule, message = '') {
  return { tag: 'allow', val: rule === undefined ? undefined : { rule, message } };
}

/** Blocks the call, by a rule. What the message says, the agent reads. */
export function block(rule, message) {
  return { tag: 'block', val: { rule, message } };
}

/** Lets the user decide, by a rule. */
export function confirm(rule, message) {
  return { tag: 'confirm', val: { rule, message } };
}

/** The rule that decided, or undefined. */
export function ruleOf(decision) {
  return decision.val?.rule;
}

/** Shows an observation as it is. */
export function pass() {
  return { tag: 'pass' };
}

/** Shows this text in an observation's place. */
export function replace(text) {
  return { tag: 'replace', val: text };
}

/** Shows nothing but a notice in an observation's place. */
export function withhold(rule, message) {
  return { tag: 'withhold', val: { rule, message } };
}
