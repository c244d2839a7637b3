// Where a trace's events stand: aligned with another trace's, and in the graph. node --test
import assert from "node:assert/strict";
import { test } from "node:test";
import { decision, event, frame, header, modules, proposal, TOOLSETS } from "./frames.mjs";

const { align, centre, decode, differs, layout, route, status } = await modules("decode", "align", "layout");
const read = (events, more) => decode(frame([header(more), ...events]), TOOLSETS);
const state = (id, text) => event(id, { kind: "agent-state", body: { type: "text", origin: "model" }, text, edges: [[id - 1, "data-flow"]] });
const commit = (id) => event(id, { kind: "commit", tool: 0, call: 0, text: "", facts: 1 << 9, body: { type: "commit", targets: ["mail/1"] } });
const result = (id, text) => event(id, { kind: "tool-result", tool: 0, call: 0, text, body: { type: "tool-result", error: false } });
const signs = (pairs) => pairs.map((pair) => status(pair));

test("a trace is equal to itself, whatever its cost and its policy's words", () => {
  const one = read([event(0), state(1, "send"), proposal(2, "a@x"), decision(3, "allow", { rule: "r", fuel: 1 })]);
  assert.deepEqual(signs(align(one, one)), ["same", "same", "same", "same"]);
  const other = read([event(0), state(1, "send"), proposal(2, "a@x"), decision(3, "allow", { message: "fine", fuel: 9 })]);
  const pairs = align(one, other);
  assert.deepEqual(signs(pairs), ["same", "same", "same", "aside"]);
  assert.deepEqual(pairs[3].changes.map(({ field }) => field), ["rule", "message", "fuel"]);
  assert.equal(pairs.some(differs), false);
});

test("traces part at the decision, not at the proposal whose facts tell of it", () => {
  const allowed = read([event(0), state(1, "send"), proposal(2, "a@x", { facts: 0b1_0001_0010 }), decision(3, "allow"), commit(4), result(5, "sent"), state(6, "done")]);
  const blocked = read([event(0), state(1, "send"), proposal(2, "a@x", { facts: 0b10_0010 }), decision(3, "block"), result(4, "blocked"), state(5, "done")]);
  const pairs = align(allowed, blocked);
  assert.deepEqual(signs(pairs), ["same", "same", "aside", "changed", "only a", "changed", "same"]);
  assert.deepEqual(pairs.find(differs).changes.map(({ field, a, b }) => [field, a, b]), [["verdict", "allow", "block"]]);
  assert.deepEqual(signs(align(blocked, allowed)), ["same", "same", "aside", "changed", "only b", "changed", "same"]);
});

test("other words in the same place are a change, and their arguments are named", () => {
  const one = read([event(0), state(1, "to a"), proposal(2, "a@x"), decision(3, "allow")]);
  const other = read([event(0), state(1, "to b"), proposal(2, "b@x"), decision(3, "allow")]);
  const pairs = align(one, other);
  assert.deepEqual(signs(pairs), ["same", "changed", "changed", "same"]);
  assert.deepEqual(pairs[2].changes, [{ field: "argument to", a: '"a@x"', b: '"b@x"', aside: false }]);
});

test("every event of both traces stands in one row, in its order, whatever the traces", () => {
  const draw = random(7);
  for (let round = 0; round < 60; round += 1) {
    const make = () => read(Array.from({ length: draw(25) }, (_, id) => state(id, `text ${draw(6)}`)).map((one) => ({ ...one, edges: [] })));
    const [a, b] = [make(), make()];
    const pairs = align(a, b);
    for (const [side, trace] of [["a", a], ["b", b]]) {
      assert.deepEqual(pairs.flatMap((pair) => (pair[side] ? [pair[side].id] : [])), trace.events.map(({ id }) => id), `round ${round}`);
    }
  }
});

test("no edge of a graph crosses an event, at any width", () => {
  const kinds = ["source", "agent-state", "message", "memory-record", "proposal", "decision", "tool-result", "commit", "new-kind"];
  const draw = random(3);
  for (let round = 0; round < 40; round += 1) {
    const trace = read(Array.from({ length: 30 }, (_, id) => event(id, {
      kind: kinds[draw(kinds.length)], agent: draw(3),
      edges: id === 0 ? [] : Array.from({ length: draw(3) }, () => [draw(id), ["data-flow", "structural", "temporal", "audit"][draw(4)]]),
    })));
    for (const width of [360, 700, 1400]) {
      const drawn = layout(trace, width);
      for (const { id, edges } of trace.events) {
        for (const edge of edges) {
          for (const x of downs(route(drawn, edge, id).line)) {
            for (let between = edge.parent + 1; between < id; between += 1) {
              assert.ok(Math.abs(x - centre(drawn, between)[0]) > drawn.sizes.wide / 2, `edge ${edge.parent}-${id} through ${between} at ${width}`);
            }
          }
        }
      }
    }
  }
});

/** Where a path goes down: the x of each of its vertical lines. */
function downs(path) {
  const out = [];
  let x = Number.NaN;
  for (const [, command, numbers] of path.matchAll(/([MHVQ])([^MHVQ]*)/g)) {
    const values = numbers.trim().split(/\s+/).map(Number);
    if (command === "V") out.push(x);
    else x = command === "Q" ? values[2] : values[0];
  }
  assert.ok(out.length > 0, path);
  return out;
}

/** A generator of numbers below a bound; the seed is all there is to it. */
function random(seed) {
  let value = BigInt(seed);
  return (below) => {
    value = (value * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((value >> 33n) % BigInt(below));
  };
}
