// How a trace is read: its frame, its digest, texts that hide, the search, and the ledger's match. node --test
import assert from "node:assert/strict";
import { test } from "node:test";
import { decision, event, frame, header, modules, proposal, stored, TOOLSETS } from "./frames.mjs";

const { checkDigest, decode, facts, find, index, labels, matches, oneLine, pieces, shorten, tainted, EVERYTHING } =
  await modules("decode", "words", "find", "match", "visible");
const read = (lines, options) => decode(frame(lines, options), TOOLSETS);

test("a frame becomes its header and events, and its digest holds", async () => {
  const trace = read([header(), event(0, { text: "Grüße, 世界" }), event(1, { edges: [[0, "structural"]] })]);
  assert.equal(trace.header.goal, "Summarise the mail");
  assert.deepEqual(trace.events.map(({ text }) => text), ["Grüße, 世界", "text 1"]);
  assert.deepEqual(trace.events[1].edges, [{ parent: 0, kind: "structural" }]);
  assert.equal(trace.tools[0].name, "send_mail");
  assert.equal((await checkDigest(trace, trace.sha256.slice(0, 16))).state, "holds");
});

test("a trace of several blocks is read whole", () => {
  const long = "x".repeat(300_000);
  assert.equal(read([header(), event(0, { text: long })]).events[0].text, long);
});

test("a line that was changed, and a trace in another one's place, are altered", async () => {
  const honest = read([header(), event(0)]);
  const changed = await checkDigest(read([header(), event(0, { text: "other" })], { sha256: honest.sha256 }));
  assert.deepEqual([changed.state, changed.recorded], ["altered", honest.sha256]);
  const swapped = await checkDigest(read([header(), event(0, { text: "other" })]), honest.sha256.slice(0, 16));
  assert.equal(swapped.state, "altered");
});

test("where a page may take no digest, none is claimed to hold", async () => {
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    const unchecked = await checkDigest(read([header(), event(0)]));
    assert.equal(unchecked.state, "unchecked");
    assert.match(unchecked.why, /secure page/);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});

test("what is wrong with a trace is said with its line", () => {
  const cases = [
    [() => decode(Buffer.from("no zstd"), {}), /zstd/i],
    [() => decode(stored(Buffer.from("no end")), {}), /ends too early/],
    [() => read([header(), "{"]), /line 2 of the trace is no JSON/],
    [() => read([header(), "[1]"]), /line 2 of the trace is no object/],
    [() => read([{ ...header(), goal: undefined }]), /line 1 of the trace has no text "goal"/],
    [() => read([header(), event(1)]), /line 2 of the trace has event 1, and 0 should stand there/],
    [() => read([header(), event(0, { edges: [[0, "data-flow"]] })]), /event 0 has an edge from event 0, which is not earlier/],
    [() => read([header(), event(0)], { events: 2 }), /counts 2 events, and 1 stand before it/],
  ];
  for (const [run, what] of cases) assert.throws(run, what);
});

test("kinds, bodies, edges and facts of a newer format are kept and shown by their names", () => {
  const strange = event(0, { kind: "rumour", facts: 1 << 30, body: { type: "whisper", to: "all" }, spare: 7 });
  const { events: [read0] } = read([header(), strange]);
  assert.equal(read0.kind, "rumour");
  assert.deepEqual(read0.body, { type: "unknown", name: "whisper" });
  assert.deepEqual(facts(read0.facts).map(({ name }) => name), ["fact 30"]);
  assert.deepEqual(JSON.parse(read0.line), strange);
});

test("all 64 labels are exact, and named by the header from bit 8", () => {
  const lines = [
    JSON.stringify(header({ label_names: ["from the web"] })).replace('"taint_vocabulary":1', '"taint_vocabulary":9223372036854775809'),
    JSON.stringify(event(0)).replace('"labels":0', '"labels":9223372036854776065'),
    JSON.stringify(event(1, { text: 'say "labels":12345678901234567890' })).replace('"labels":0', '"labels":2'),
  ];
  const trace = read(lines);
  assert.equal(trace.events[0].labels, (1n << 63n) | (1n << 8n) | 1n);
  assert.deepEqual(labels(trace, trace.events[0].labels).map(({ name, taint }) => [name, taint]), [["untrusted", true], ["from the web", false], ["label 63", true]]);
  assert.equal(trace.events[1].text, 'say "labels":12345678901234567890');
  assert.equal(tainted(trace, trace.events[1].labels), false);
});

test("characters that hide or turn text around become their numbers, and letters of any script stay", () => {
  const shown = (text) => pieces(text).map(({ text }) => text).join("");
  assert.equal(shown("a\u202eb\u0000\u001b[2J\u{e0041}"), "a\\u202Eb\\u0000\\u001B[2J\\u{E0041}");
  assert.equal(shown("two\nlines\r\n\tמילה 世界 😀"), "two\nlines\r\n\tמילה 世界 😀");
  assert.equal(shown("\rover"), "\\u000Dover");
  assert.equal(shown("half \ud800 of one"), "half \\uD800 of one");
  assert.equal(oneLine("a\n\u2066b"), "a \\u2066b");
  assert.equal(shorten("ab😀cd", 4), "ab…");
  assert.equal(shorten("abcd", 4), "abcd");
});

test("the search finds every word of every kind, and filters leave what they say", () => {
  const trace = read([
    header(), event(0, { text: "hello", labels: 1 }), event(1, { kind: "agent-state", body: { type: "text", origin: "model" }, text: "SEND" }),
    proposal(2, "iris@trusted.local"), decision(3, "block", { rule: "block_outside_boundary", message: "no such action" }),
  ]);
  const words = index(trace);
  const ids = (filter) => find(trace, words, { ...EVERYTHING, ...filter });
  assert.deepEqual(ids({ text: "send" }), [1, 2, 3]);
  assert.deepEqual(ids({ text: "iris Trusted" }), [2]);
  assert.deepEqual(ids({ text: "outside_boundary" }), [3]);
  assert.deepEqual(ids({ text: "untrusted" }), [0]);
  assert.deepEqual(ids({ kinds: ["source", "decision"] }), [0, 3]);
  assert.deepEqual(ids({ taint: "tainted" }), [0]);
  assert.deepEqual(ids({ taint: "clean", text: "send" }), [1, 2, 3]);
  assert.deepEqual(ids({ decision: "block" }), [3]);
  assert.deepEqual(ids({ text: "nobody says this" }), []);
});

test("an entry of the ledger matches by action, targets and rules, as the SDK's does", () => {
  const fits = (entry, to) => {
    const entries = [{ action: "send_mail", targets: [], constraints: [], ...entry }];
    const trace = read([header({ ledgers: [{ form: "oracle", entries }] }), event(0), proposal(1, to)]);
    return matches(trace, trace.events[1]).map((match) => match.fits);
  };
  const rule = (argument, rule) => ({ targets: ["a@x"], constraints: [{ argument, rule }] });
  assert.deepEqual(fits({ targets: ["a@x"] }, "a@x"), [true]);
  assert.deepEqual(fits({ targets: ["a@x", "b@x"] }, ["a@x", { cc: "b@x" }]), [true]);
  assert.deepEqual(fits({ targets: ["a@x"] }, ["a@x", "c@x"]), [false]);
  assert.deepEqual(fits({}, "a@x"), [false]);
  assert.deepEqual(fits({}, ""), [true]);
  assert.deepEqual(fits({ action: "delete" }, "a@x"), []);
  const rules = [
    ["any", true], ["absent", false], [{ equals: '"hi"' }, true], [{ equals: '"ho"' }, false], [{ "one-of": ['"ho"', '"hi"'] }, true],
    [{ prefix: "h" }, true], [{ prefix: "o" }, false], [{ "at-most": 3 }, false], [{ "max-length": 2 }, true], [{ "max-length": 1 }, false],
    ["newer", false],
  ];
  for (const [one, expected] of rules) assert.deepEqual(fits(rule("body", one), "a@x"), [expected], JSON.stringify(one));
  assert.deepEqual(fits(rule("subject", "absent"), "a@x"), [true]);
  assert.deepEqual(fits(rule("subject", { equals: '"x"' }), "a@x"), [false]);
});

test("of a tool that the site does not have nothing is said about the ledger", () => {
  const trace = decode(frame([header(), event(0), proposal(1, "a@x")]), {});
  assert.equal(matches(trace, trace.events[1]), null);
});
