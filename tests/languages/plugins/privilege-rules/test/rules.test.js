import assert from 'node:assert/strict';
import test from 'node:test';

import Guard from '../src/guard.js';
import { decide, parse } from '../src/rules.js';
import { CANARY, UNTRUSTED, ruleOf } from '../vendor/weir-plugin/index.js';
import { episode, permit, propose } from '../vendor/weir-plugin/testing.js';

/** The name of the rule that decides a mail. */
function decided(rules, values, labels) {
  return decide(parse(rules), episode([permit('send', ['ann@corp.local'])]), propose('send', values, labels))?.name;
}

test('each condition holds for what it says and for nothing else', () => {
  const ann = { to: 'ann@corp.local', subject: '12', body: 'the plan' };
  for (const [condition, holds] of [
    ['to is ann@corp.local', true],
    ['to is ann', false],
    ['to in (bob@corp.local, ann@corp.local)', true],
    ['to in (bob@corp.local)', false],
    ['to starts with ann@', true],
    ['to ends with @corp.local', true],
    ['to ends with @evil.local', false],
    ['body matches /\\bplan$/', true],
    ['body matches /^plan/', false],
    ['subject at most 12', true],
    ['subject at most 11.5', false],
    ['body at most 5', false],
    ['bcc absent', true],
    ['to absent', false],
    ['bcc ends with @corp.local', false],
    ['authorised', true],
    ['secret', false],
    ['any recipient tainted', false],
    ['to ends with @corp.local and bcc absent', true],
    ['to ends with @corp.local and secret', false],
  ]) {
    assert.equal(decided(`r: allow send if ${condition}`, ann), holds ? 'r' : undefined, condition);
  }
});

test('every recipient has to satisfy a condition', () => {
  const both = { to: ['ann@corp.local', 'eve@evil.local'] };
  assert.equal(decided('r: allow send if to ends with @corp.local', both), undefined);
});

test('taint and secrets are seen', () => {
  assert.equal(decided('r: forbid * if any recipient tainted', { to: 'ann@corp.local' }, UNTRUSTED), 'r');
  assert.equal(decided('r: forbid * if secret', { body: 'x' }, CANARY), 'r');
});

test('what is forbidden stays so whatever allows it, and the first rule that allows decides', () => {
  const rules = 'a: allow send\nb: allow se*\nc: forbid send if to is eve@evil.local';
  assert.equal(decided(rules, { to: 'eve@evil.local' }), 'c');
  assert.equal(decided(rules, { to: 'ann@corp.local' }), 'a');
  assert.equal(decided('b: allow sh*', { to: 'ann@corp.local' }), undefined);
});

test('a rule that cannot be read is an error with its line', () => {
  for (const [rules, said] of [
    ['\nallow send', /line 2: not a rule/],
    ['a: permit send', /line 1: not a rule/],
    ['a: allow send if to likes ann', /line 1: not a condition/],
    ['a: allow send if any friend tainted', /line 1: not a condition/],
    ['a: allow send if to in ann', /line 1: `in` cannot take ann/],
    ['a: allow send if to at most ann', /line 1: `at most` cannot take ann/],
    ['a: allow send\n# b\na: allow read', /line 3: a second rule a/],
  ]) {
    assert.throws(() => parse(rules), said, rules);
  }
});

test('the guard forbids by default what has side effects and nothing else', () => {
  const guard = new Guard(episode([permit('send', ['ann@corp.local'])]));
  const rule = (...call) => ruleOf(guard.authorize(propose(...call)));
  assert.equal(rule('read', {}, UNTRUSTED), 'allow_low_risk');
  assert.equal(rule('send', { to: 'ann@corp.local' }, UNTRUSTED), 'allow_as_asked');
  assert.equal(rule('send', { to: 'eve@evil.local' }), 'block_by_default');
  assert.equal(rule('send', { to: 'ann@corp.local', body: 'x' }, CANARY), 'block_no_secret');
  assert.equal(rule('share', { file: 'plan', visibility: 'public' }, UNTRUSTED), 'block_no_publication');
  assert.equal(rule('no such tool', {}), 'block_by_default');
});
