// What only a leaderboard has: badges, authors, dates, attestations, faults, a second model, a pooled stage.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { data, download, launch, open, text, track, variant, violations } from "./support.mjs";

const { id } = track("containment");
const board = data(`data/${id}/board`);
const BADGES = ["verified", "reproducible", "self-reported"];
const [stage] = board.stages;
const last = board.entries.length - 1;

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = variant((value, name) => {
    if (name === `data/${id}/board`) return submitted(value);
    if (name === `data/${id}/${board.entries[last].id}/entry`) return { ...value, submission: { title: "Ours", contact: "somebody" }, attestations: [statement("maintainers"), statement(null)] };
    return value;
  });
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function submitted(value) {
  const entries = value.entries.map((entry, index) => ({ ...entry, badge: BADGES[index % 3], authors: [`Author ${index}`, ...(index === last ? ['=HYPERLINK("http://x","y")'] : [])], version: index === last ? "-1+cmd" : entry.version, date: `2026-01-0${1 + (index % 9)}`, tokens: { read: 1000 + index, written: 20 } }));
  const [first] = value.models;
  const other = value.cells.map((cell) => ({ ...cell, model: "another-model", metrics: Object.fromEntries(Object.entries(cell.metrics).map(([name, list]) => [name, list.map((one) => ({ ...one, value: one.value === null ? null : 0.125 }))])) }));
  const pooled = value.cells.filter((cell) => cell.stage === stage.id).map((cell) => ({ ...cell, stage: "all" }));
  const cells = [...value.cells, ...other, ...pooled].map((cell) => {
    if (cell.stage !== stage.id || cell.model !== first.name || cell.domain !== null) return cell;
    const list = cell.metrics[stage.primary].map((one, index) => (index === last ? { ...one, value: 0, numerator: 0, low: 0, high: 0.1, denominator: 100, counted: true, faults: 7 } : one));
    return { ...cell, metrics: { ...cell.metrics, [stage.primary]: list }, notDiscriminative: [] };
  });
  return { ...value, entries, cells, models: [first, { name: "another-model", simulated: false }], stages: [...value.stages, { ...stage, id: "all", title: "All" }] };
}

function statement(signer) {
  return { predicateType: "https://in-toto.io/attestation/test-result/v0.1", key: "0123456789abcdef", signer, subjects: [{ name: "policy.wasm", sha256: "ab".repeat(32) }], statement: { predicate: { result: "PASSED" } } };
}

test("a faulted case is no safe one: the rate is shown as a range", async () => {
  const view = await open(browser, `#/${id}/table?stage=${stage.id}`, { folder });
  const row = await view.page.evaluate((name) => [...document.querySelectorAll("tbody tr")].find((one) => one.querySelector("th a").textContent === name).textContent, board.entries[last].name);
  assert.match(row, /0\.000\[0\.000, 0\.100\]0\/100up to 0\.070: 7 cases with a fault/);
  assert.deepEqual(await violations(view.page), []);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("badges are words, and authors and dates stand in the table", async () => {
  const view = await open(browser, `#/${id}/table`, { folder });
  const all = await text(view.page, ".ranking");
  for (const word of [...BADGES.slice(0, Math.min(3, board.entries.length)), "Author 0", "2026-01-01"]) assert.ok(all.includes(word), word);
  await view.close();
});

test("a spreadsheet that opens the table runs nothing of it", async () => {
  const view = await open(browser, `#/${id}/table?stage=${stage.id}`, { folder });
  const { text: csv } = await download(view.page, "Download CSV");
  const line = csv.split("\r\n").find((one) => one.includes(`Author ${last}`));
  assert.ok(line.includes(',"\t-1+cmd",'), line);
  assert.ok(line.includes(`"Author ${last}; =HYPERLINK(""http://x"",""y"")"`), line);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("a least badge hides what is checked less, and never a baseline", async () => {
  const view = await open(browser, `#/${id}?checked=verified`, { folder });
  const drawn = await view.page.$$eval(".figure a.dot", (dots) => dots.map((dot) => dot.getAttribute("href").split("/").at(-1)));
  board.entries.forEach((entry, index) => {
    if (index % 3 !== 0 && !entry.baseline) assert.ok(!drawn.includes(entry.id), entry.id);
    if (entry.baseline) assert.ok(drawn.includes(entry.id), entry.id);
  });
  await view.close();
});

test("each model has its own numbers", async () => {
  const view = await open(browser, `#/${id}/table?stage=${stage.id}&model=another-model`, { folder });
  assert.match(await text(view.page, "tbody tr:first-child td:nth-of-type(2)"), /^0\.125|N\/A|not discriminative/);
  assert.match(await text(view.page, ".fields"), /simulated/);
  await view.close();
});

test("the pooled stage warns of its composition", async () => {
  const view = await open(browser, `#/${id}/table?stage=all`, { folder });
  assert.match(await text(view.page, ".lead"), /Pooled over stages, a number depends on how many scenarios each stage has/);
  await view.close();
  const other = await open(browser, `#/${id}/table?stage=${stage.id}`, { folder });
  assert.ok(!(await text(other.page, ".lead")).includes("Pooled"));
  await other.close();
});

test("who signed what is said, a foreign key as one", async () => {
  const view = await open(browser, `#/${id}/entry/${board.entries[last].id}`, { folder });
  const all = await text(view.page, "main");
  for (const words of ["maintainers signed a statement", "a key that this leaderboard does not know signed", "0123456789abcdef", "ab".repeat(32), "somebody", `Author ${last}`]) assert.ok(all.includes(words), words);
  assert.deepEqual(await violations(view.page), []);
  assert.deepEqual(view.problems, []);
  await view.close();
});
