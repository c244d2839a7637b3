// SDK for Weir policies in JavaScript: the base class with its default hooks, and the intent ledger.
//
// Values are plain objects in the shape of the contract (`wit/`): names in camelCase, a variant as `{ tag, val }`, an enum as
// its name, 64-bit labels as BigInt, and `undefined` where there is none.

export { host } from './host.js';
export { Ledger, holds, leaves } from './ledger.js';
export { Policy, allow, block, confirm, ruleOf, pass, replace, withhold } from './policy.js';

/** Label bit 0: content from outside the user's trust. */
export const UNTRUSTED = 1n;
/** Label bit 1: a synthetic secret. */
export const CANARY = 1n << 1n;
/** Label bit 2: content that the user keeps private. */
export const PRIVATE = 1n << 2n;
/** Label bit 3: memory held back from recall. */
export const QUARANTINED = 1n << 3n;
