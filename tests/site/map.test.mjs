// The scenario map: filters by what the data says, a cursor for the keyboard, a click that opens the trace, and colours of the theme.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { data, launch, open, settled, text, track } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const { id } = track("containment");
const board = data(`data/${id}/board`);
const scenarios = data(`data/${id}/scenarios`);
const units = board.entries.map((entry) => data(`data/${id}/${entry.id}/units`));
const [HARM, COMPLETED] = [1, 6];

/** Outcomes of the first model's rollouts by scenario and entry. */
function outcomes(scenario) {
  return units.map((one) => one.outcome.filter((_, unit) => one.scenario[unit] === scenario && one.model[unit] === 0));
}

async function count(page) {
  return Number((await text(page, "main p[role=status]")).split(" ")[0].replaceAll(",", ""));
}

test("each filter keeps the scenarios that are like that", async () => {
  const all = scenarios.ids.map((_, scenario) => outcomes(scenario));
  const open_ = board.entries.findIndex(({ name, baseline }) => baseline && name === "none");
  const expected = {
    "": all.length,
    fails: all.filter((rows) => rows.flat().every((one) => one !== COMPLETED)).length,
    flips: all.filter((rows) => rows.some((row) => new Set(row).size > 1)).length,
    live: all.filter((rows) => rows.every((row, entry) => row.includes(HARM) === (entry === open_))).length,
  };
  const view = await open(browser, `#/${id}/map`);
  for (const [show, many] of Object.entries(expected)) {
    await view.go(`#/${id}/map?show=${show}`);
    assert.equal(await count(view.page), many, show);
  }
  const [domain] = board.domains;
  await view.go(`#/${id}/map?domain=${domain}&group=topology`);
  assert.equal(await count(view.page), scenarios.domain.filter((one) => scenarios.domains[one] === domain).length);
  await view.page.type(".fields input", "no such scenario");
  assert.match(await text(view.page, ".empty"), /No scenario is like that/);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("the keyboard goes from cell to cell, tells each, and opens its trace", async () => {
  const view = await open(browser, `#/${id}/map`);
  await view.page.focus(".map");
  await view.page.keyboard.press("ArrowDown");
  const first = await text(view.page, "#map-cell");
  assert.ok(first.startsWith(`${scenarios.ids[0]}; ${board.entries[0].name}, seed `), first);
  await view.page.keyboard.press("End");
  const last = await text(view.page, "#map-cell");
  assert.ok(last.startsWith(`${scenarios.ids[0]}; ${board.entries.at(-1).name}, seed `), last);
  await view.page.keyboard.press("ArrowDown");
  const below = await text(view.page, "#map-cell");
  assert.ok(below.startsWith(scenarios.ids[1]), below);
  await view.page.waitForFunction(() => location.hash.includes("cell="));
  await view.page.keyboard.press("Enter");
  await view.page.waitForFunction(() => location.hash.includes("/trace/"));
  const entry = units.at(-1);
  const unit = Number(new URL(view.page.url()).hash.match(/\/trace\/[^/]+\/(\d+)/)[1]);
  assert.equal(entry.scenario[unit], 1);
  assert.equal(entry.seed[unit], Math.max(...entry.seed));
  await view.close();
});

test("a cell in the address is where the cursor is", async () => {
  const at = scenarios.ids.length - 1;
  const entry = board.entries[1];
  const view = await open(browser, `#/${id}/map?cell=${entry.id}:${units[1].seed[0]}:${encodeURIComponent(scenarios.ids[at])}`);
  assert.ok((await text(view.page, "#map-cell")).startsWith(`${scenarios.ids[at]}; ${entry.name}, seed ${units[1].seed[0]}: `));
  await view.close();
});

test("a pointer tells what it is over, and a click opens that rollout", async () => {
  const view = await open(browser, `#/${id}/map?size=large`);
  const box = await (await view.page.$(".map canvas")).boundingBox();
  // Below the names of the entries and of the first group: a cell of the first scenario.
  let found = null;
  for (let x = box.x + 6; x < box.x + box.width && !found; x += 6) {
    await view.page.mouse.move(x, box.y + 96 + 24 + 8);
    found = await view.page.evaluate(() => document.querySelector(".map .tip")?.textContent ?? null);
    if (found) await view.page.mouse.click(x, box.y + 96 + 24 + 8);
  }
  assert.ok(found?.startsWith(`${scenarios.ids[0]}; ${board.entries[0].name}`), found);
  await view.page.waitForFunction(() => location.hash.includes("/trace/"));
  await settled(view.page);
  await view.close();
});

test("the table below counts every rollout that is shown", async () => {
  const view = await open(browser, `#/${id}/map`);
  const rows = await view.page.$$eval('[aria-label="Rollouts by outcome"] tbody tr', (all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent.replaceAll(",", "")))));
  units.forEach((one, entry) => {
    const expected = [0, 1, 2, 3, 4, 5, 6].map((outcome) => one.outcome.filter((found, unit) => found === outcome && one.model[unit] === 0).length);
    assert.deepEqual(rows[entry].slice(0, 7), expected);
    assert.equal(rows[entry][7], expected.reduce((x, y) => x + y));
  });
  await view.close();
});

test("the canvas is drawn anew when the theme changes", async () => {
  const view = await open(browser, `#/${id}/map`);
  const pixels = () => view.page.$eval(".map canvas", (canvas) => canvas.toDataURL());
  const light = await pixels();
  await view.page.keyboard.press("t");
  await settled(view.page);
  const dark = await pixels();
  assert.notEqual(dark, light);
  await view.page.keyboard.press("t");
  await settled(view.page);
  assert.equal(await pixels(), light);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("a scenario's page has a rollout for each entry and seed, each with its trace", async () => {
  const view = await open(browser, `#/${id}/scenario/${encodeURIComponent(scenarios.ids[0])}`);
  const links = await view.page.$$eval("a.outcome", (all) => all.map((link) => link.getAttribute("href")));
  assert.equal(links.length, outcomes(0).flat().length);
  for (const link of links) {
    const [, entry, unit] = link.match(/\/trace\/([^/]+)\/(\d+)$/);
    assert.equal(units[board.entries.findIndex((one) => one.id === entry)].scenario[unit], 0);
  }
  await view.close();
});
