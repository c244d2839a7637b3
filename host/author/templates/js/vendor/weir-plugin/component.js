// Joins a Policy to the component's exports.

import { host } from './host.js';

/** The exported interface for a policy's class, with the interfaces that the component imports. */
export function component(Policy, imports) {
  host.imports = imports;

  class Session {
    #policy;

    constructor(episode) {
      this.#policy = reported(() => {
        episode.taintVocabulary = bits(episode.taintVocabulary);
        return new Policy(episode);
      });
    }

    guidance() {
      return reported(() => this.#policy.guidance());
    }

    filter(delta, observation) {
      return this.#after(delta, (policy) => policy.filter(observation));
    }

    authorize(delta, proposal) {
      return this.#after(delta, (policy) => policy.authorize(labelled(proposal)));
    }

    precommit(delta, proposal) {
      return this.#after(delta, (policy) => policy.precommit(labelled(proposal)));
    }

    recover(delta) {
      return this.#after(delta, (policy) => policy.recover());
    }

    endorse(memories, history) {
      return answer(() => this.#policy.endorse(memories, history));
    }

    render(memories) {
      return answer(() => this.#policy.render(memories));
    }

    #after(delta, hook) {
      return answer(() => {
        for (const event of delta) event.labels = bits(event.labels);
        this.#policy.observe(delta);
        return hook(this.#policy);
      });
    }
  }

  return { Session };
}

// QuickJS gets 64-bit numbers as ordinary ones, which hold 53 bits. Labels are sets of bits: BigInt has the operators for them, and
// a set that did not arrive whole closes the policy.
function bits(labels) {
  if (typeof labels === 'number' && !Number.isSafeInteger(labels)) throw new RangeError(`labels ${labels} are not exact`);
  return BigInt(labels);
}

function labelled(proposal) {
  proposal.labels = bits(proposal.labels);
  for (const argument of proposal.arguments) argument.labels = bits(argument.labels);
  return proposal;
}

// There is no standard error in the sandbox, so what goes wrong is logged, where that is granted.
function reported(hook) {
  try {
    return hook();
  } catch (error) {
    if (error instanceof Error) host.log(`${error}\n${error.stack}`, 'error');
    throw error;
  }
}

// The same for a hook that can answer with an error of the contract.
function answer(hook) {
  try {
    return reported(hook);
  } catch (error) {
    throw error instanceof Error ? { tag: 'other', val: String(error) } : error;
  }
}
