import assert from 'node:assert/strict';
import test from 'node:test';

import Guard from '../src/guard.js';
import { CANARY, UNTRUSTED, ruleOf } from '../vendor/weir-plugin/index.js';
import { episode, permit, propose } from '../vendor/weir-plugin/testing.js';

/** The rule by which a call is decided where the user asked for a mail to Ann. */
function rule(proposal) {
  const guard = new Guard(episode([permit('send', ['ann@corp.local'])]));
  return ruleOf(guard.authorize(proposal));
}

test('a read passes whatever was read before', () => {
  assert.equal(rule(propose('read', {}, UNTRUSTED)), 'allow_low_risk');
});

test('the mail that the user asked for passes even after reading a hostile one', () => {
  const send = propose('send', { to: 'ann@corp.local', body: 'hello' }, UNTRUSTED);
  assert.equal(rule(send), 'allow_ledger_match');
});

test('a mail to anyone else is stopped', () => {
  assert.equal(rule(propose('send', { to: 'eve@evil.local' })), 'block_outside_ledger');
  const both = propose('send', { to: ['ann@corp.local', 'eve@evil.local'] });
  assert.equal(rule(both), 'block_outside_ledger');
});

test('a secret does not leave even to somebody who is authorised', () => {
  const send = propose('send', { to: 'ann@corp.local', body: 'the secret' });
  send.arguments[1].labels = CANARY;
  assert.equal(rule(send), 'block_secret_leak');
});
