// The comparison: numbers of the data, turned around with the entries, and scenarios that are really discordant.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { data, launch, open, settled, text, track } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const { id } = track("containment");
const board = data(`data/${id}/board`);
const { pairs } = data(`data/${id}/pairs`);
const signed = (value) => (Number(Math.abs(value).toFixed(3)) === 0 ? "0.000" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`);
// The pair that differs most, so that there is something to see.
const pair = [...pairs].sort((x, y) => differing(y) - differing(x))[0];
const [a, b] = [board.entries[pair.a], board.entries[pair.b]];
function differing({ stages }) { return stages.reduce((sum, { table }) => sum + (table ? table.onlyA + table.onlyB : 0), 0); }

async function rows(page) {
  return page.$$eval(".stages tbody tr", (all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
}

test("each stage's difference, interval and table are the data's", async () => {
  const view = await open(browser, `#/${id}/compare?a=${a.id}&b=${b.id}`);
  const shown = await rows(view.page);
  assert.equal(shown.length, pair.stages.length);
  pair.stages.forEach(({ delta, table, pairs: many }, index) => {
    const row = shown[index];
    assert.ok(delta.value === null ? row[1].includes("N/A") : row[1].startsWith(signed(delta.value)), row[1]);
    if (delta.low !== null) assert.ok(row[1].includes(`[${signed(delta.low)}, ${signed(delta.high)}]`), row[1]);
    assert.ok(row[1].replaceAll(",", "").includes(`${many} pairs`));
    if (table) assert.deepEqual(row.slice(3, 7).map((cell) => Number(cell.replaceAll(",", ""))), [table.both, table.onlyA, table.onlyB, table.neither]);
  });
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("swapping A and B turns every sign", async () => {
  const view = await open(browser, `#/${id}/compare?a=${a.id}&b=${b.id}`);
  const before = await rows(view.page);
  await view.page.click(".swap");
  await view.page.waitForFunction((hash) => location.hash === hash, {}, `#/${id}/compare?a=${b.id}&b=${a.id}`);
  await settled(view.page);
  const after = await rows(view.page);
  before.forEach((row, index) => {
    const { delta, table } = pair.stages[index];
    if (delta.value !== null) assert.ok(after[index][1].startsWith(signed(-delta.value)), `${row[1]} ${after[index][1]}`);
    if (table) assert.deepEqual([after[index][4], after[index][5]], [row[5], row[4]]);
  });
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("the other denominator changes what has one, and keeps the rest", async () => {
  const index = pair.stages.findIndex(({ fixedMaximum }) => fixedMaximum !== null);
  assert.ok(index >= 0, "the site under test measures spread");
  const view = await open(browser, `#/${id}/compare?a=${a.id}&b=${b.id}`);
  const before = await rows(view.page);
  await view.page.evaluate(() => [...document.querySelectorAll(".choice button")].find((one) => one.textContent === "fixed maximum").click());
  const after = await rows(view.page);
  assert.ok(after[index][1].startsWith(signed(pair.stages[index].fixedMaximum.delta)), after[index][1]);
  pair.stages.forEach(({ fixedMaximum }, at) => { if (!fixedMaximum) assert.deepEqual(after[at], before[at]); });
  assert.match(new URL(view.page.url()).hash, /denominator=fixed/);
  await view.close();
});

test("the discordant scenarios are those whose values differ, the most flips first, each with both traces and their difference", async () => {
  const scenarios = data(`data/${id}/scenarios`);
  const stage = pair.stages.find(({ table }) => table && table.onlyA + table.onlyB > 0);
  const [left, right] = [a, b].map((entry) => ({ units: data(`data/${id}/${entry.id}/units`), values: data(`data/${id}/${entry.id}/values`)[stage.metric] }));
  const flips = new Map();
  left.units.scenario.forEach((scenario, unit) => {
    const other = right.units.scenario.findIndex((one, at) => one === scenario && right.units.seed[at] === left.units.seed[unit] && right.units.model[at] === left.units.model[unit]);
    if (scenarios.stages[scenarios.stage[scenario]] !== stage.stage || other < 0 || left.units.model[unit] !== 0) return;
    if (left.values[unit] !== right.values[other]) flips.set(scenario, (flips.get(scenario) ?? 0) + 1);
  });
  const view = await open(browser, `#/${id}/compare?a=${a.id}&b=${b.id}&stage=${stage.stage}&metric=${stage.metric}&rows=5000`);
  const shown = await view.page.$$eval(".cards tbody tr", (all) => all.map((row) => [row.querySelector("th").textContent, Number(row.querySelector("td").textContent.split(" ")[0])]));
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries([...flips].map(([scenario, many]) => [scenarios.ids[scenario], many])));
  assert.deepEqual(shown.map(([, many]) => many), [...flips.values()].sort((x, y) => y - x));
  const links = await view.page.$$eval(".cards tbody tr:first-child .flips li:first-child a", (all) => all.map((link) => link.getAttribute("href")));
  const [, , unitA] = links[0].match(/^#\/([^/]+)\/trace\/[^/]+\/(\d+)$/);
  const [, unitB] = links[1].match(/\/(\d+)$/);
  assert.equal(links[2], `#/${id}/diff/${a.id}/${unitA}/${b.id}/${unitB}`);
  assert.equal(left.units.scenario[unitA], right.units.scenario[unitB]);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("an entry compared with itself is no comparison, and an unknown one gives the baseline", async () => {
  const view = await open(browser, `#/${id}/compare?a=${a.id}&b=${a.id}`);
  assert.match(await text(view.page, ".empty"), /the same entry/);
  await view.go(`#/${id}/compare?a=nobody`);
  assert.equal((await rows(view.page)).length > 0, true);
  assert.deepEqual(view.problems, []);
  await view.close();
});
