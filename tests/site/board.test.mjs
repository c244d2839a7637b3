// Trade-off and ranking: what is shown is what the data says.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { data, download, launch, open, settled, text, track } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const { id } = track("containment");
const board = data(`data/${id}/board`);
const model = board.models[0].name;
const cell = (stage, domain = null) => board.cells.find((one) => one.stage === stage && one.domain === domain && one.model === model);
const rate = (value) => (value === null ? "N/A" : value.toFixed(3));
const names = (page) => page.$$eval("tbody tr th[scope=row] a", (links) => links.map((link) => link.textContent));

test("the figure has a mark for each entry with both numbers, and its table the same numbers", async () => {
  for (const axes of board.axes) {
    const view = await open(browser, `#/${id}?axes=${axes.id}`);
    const [x, y] = [axes.x, axes.y].map((axis) => cell(axis.stage)?.metrics[axis.metric]);
    const drawn = board.entries.filter((_, index) => x?.[index]?.value != null && y?.[index]?.value != null);
    assert.deepEqual((await view.page.$$eval(".figure a.dot", (dots) => dots.map((dot) => dot.getAttribute("href")))).sort(), drawn.map((entry) => `#/${id}/entry/${entry.id}`).sort(), axes.id);
    for (const entry of drawn) {
      const index = board.entries.indexOf(entry);
      const row = await view.page.evaluate((name) => [...document.querySelectorAll("tbody tr")].find((one) => one.querySelector("th a")?.textContent === name)?.textContent, entry.name);
      const up = axes.y.complement ? 1 - y[index].value : y[index].value;
      assert.ok(row.includes(rate(axes.x.complement ? 1 - x[index].value : x[index].value)) && row.includes(rate(up)), `${entry.name}: ${row}`);
    }
    assert.deepEqual(view.problems, []);
    await view.close();
  }
});

test("what another entry is better than on both axes is faded, and nothing else", async () => {
  const [axes] = board.axes;
  const view = await open(browser, `#/${id}`);
  const value = (axis, index) => { const one = cell(axis.stage).metrics[axis.metric][index].value; return one === null ? null : axis.complement ? 1 - one : one; };
  const points = board.entries.map((entry, index) => ({ entry, x: value(axes.x, index), y: value(axes.y, index) })).filter(({ x, y }) => x !== null && y !== null);
  const worse = points.filter((p) => points.some((q) => q.x >= p.x && q.y >= p.y && (q.x > p.x || q.y > p.y))).map(({ entry }) => `#/${id}/entry/${entry.id}`);
  assert.deepEqual((await view.page.$$eval(".figure a.dominated", (dots) => dots.map((dot) => dot.getAttribute("href")))).sort(), worse.sort());
  await view.close();
});

test("a focused mark tells n, clusters and interval; a click leads to its entry", async () => {
  const view = await open(browser, `#/${id}`);
  const first = await view.page.$(".figure a.dot");
  await first.evaluate((dot) => dot.focus());
  const tip = await text(view.page, ".tip");
  assert.match(tip, /\[\d\.\d{3}, \d\.\d{3}\]/);
  assert.match(tip, /\d+ clusters/);
  assert.match(await first.evaluate((dot) => dot.getAttribute("aria-label")), /clusters/);
  await view.page.keyboard.press("Enter");
  await view.page.waitForFunction((start) => location.hash.startsWith(start), {}, `#/${id}/entry/`);
  await settled(view.page);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("a domain changes the numbers, and zooming gives each entry a row", async () => {
  const [domain] = board.domains;
  const view = await open(browser, `#/${id}?domain=${domain}&zoom=1`);
  const [{ x }] = board.axes;
  const known = cell(x.stage, domain)?.metrics[x.metric] ?? [];
  const shown = await view.page.$$eval(".figure .value", (values) => values.map((value) => value.textContent));
  const expected = known.map(({ value }) => value).filter((value) => value !== null).sort((a, b) => b - a).map(rate);
  assert.ok(shown.length > 0);
  assert.deepEqual(shown, expected.slice(0, shown.length));
  await view.close();
});

test("each stage's table has every entry, its rank range and its denominators", async () => {
  for (const stage of board.stages) {
    const view = await open(browser, `#/${id}/table?stage=${stage.id}`);
    const rows = await view.page.$$eval("tbody tr", (all) => all.map((row) => [...row.children].map((one) => one.textContent)));
    assert.equal(rows.length, board.entries.length);
    board.entries.forEach((entry, index) => {
      const row = rows.find((one) => one[1].startsWith(entry.name));
      const ranks = cell(stage.id).ranks[index];
      assert.ok(row[0].startsWith(ranks === null ? "N/A" : ranks[0] === ranks[1] ? `${ranks[0]}` : `${ranks[0]}–${ranks[1]}`), `${entry.name} ${row[0]}`);
      const primary = cell(stage.id).metrics[stage.primary]?.[index];
      if (primary && primary.value !== null && primary.counted && !cell(stage.id).notDiscriminative.includes(stage.primary)) {
        const plain = row[2].replaceAll(",", "");
        assert.ok(plain.includes(rate(primary.value)) && plain.includes(`${primary.numerator}/${primary.denominator}`), row[2]);
      }
    });
    assert.deepEqual(view.problems, []);
    await view.close();
  }
});

test("a zero without a control is no result", async () => {
  const found = board.cells.find((one) => one.domain === null && one.notDiscriminative.some((name) => one.metrics[name]));
  assert.ok(found, "the site under test has a metric without a control");
  const view = await open(browser, `#/${id}/table?stage=${found.stage}&columns=all`);
  assert.match(await text(view.page, "tbody"), /not discriminative/);
  await view.close();
});

test("every column sorts, says so, and sorts the other way", async () => {
  const view = await open(browser, `#/${id}/table`);
  const columns = (await view.page.$$("thead th button")).length;
  assert.ok(columns > 8);
  for (let column = 0; column < columns; column++) {
    const click = async () => (await view.page.$$("thead th button"))[column].click();
    const state = () => view.page.$$eval("thead th", (heads, at) => heads.map((head) => head.getAttribute("aria-sort"))[at], column);
    await click();
    const one = await state();
    const before = await names(view.page);
    await click();
    const other = await state();
    if (column > 0) assert.deepEqual([one, other].sort(), ["ascending", "descending"]);
    assert.deepEqual([...before].sort(), [...(await names(view.page))].sort(), "sorting loses no row");
    assert.equal((await view.page.$$('[aria-sort]:not([aria-sort="none"])')).length, 1);
  }
  await view.go(`#/${id}/table?sort=name`);
  assert.deepEqual(await names(view.page), board.entries.map(({ name }) => name).sort((a, b) => a.localeCompare(b, "en")));
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("the filter keeps what matches", async () => {
  const view = await open(browser, `#/${id}/table`);
  const { name } = board.entries.at(-1);
  await view.page.type(".fields input", name);
  assert.deepEqual(await names(view.page), board.entries.map((entry) => entry.name).filter((one) => one.includes(name)));
  await view.go(`#/${id}/table?q=nothing-of-that-name`);
  assert.match(await text(view.page, ".ranking .empty"), /No entry matches/);
  await view.close();
});

test("the table downloads as CSV with all digits", async () => {
  const stage = board.stages[0];
  const view = await open(browser, `#/${id}/table?stage=${stage.id}`);
  const file = await download(view.page, "Download CSV");
  assert.equal(file.name, `${id}-${stage.id}.csv`);
  const [head, ...lines] = file.text.trimEnd().split("\r\n").map((line) => line.split(","));
  assert.equal(lines.length, board.entries.length);
  const column = (title) => { const at = head.indexOf(title); assert.ok(at >= 0, title); return at; };
  for (const line of lines) {
    const index = board.entries.findIndex((entry) => entry.name === line[column("entry")]);
    const estimate = cell(stage.id).metrics[stage.primary][index];
    assert.equal(line[column(`${stage.primary}_value`)], String(estimate.value));
    assert.equal(line[column(`${stage.primary}_denominator`)], String(estimate.denominator));
    assert.equal(line[column("digest")], board.entries[index].digest);
  }
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("an entry's page has its digest, its coverage and commands to copy", async () => {
  const entry = board.entries.at(-1);
  const page = data(`data/${id}/${entry.id}/entry`);
  const view = await open(browser, `#/${id}/entry/${entry.id}`);
  const all = await text(view.page, "main");
  assert.ok(all.includes(entry.digest));
  for (const command of page.verify) assert.ok(all.includes(command), command);
  assert.equal((await view.page.$$(".command button")).length, page.verify.length);
  assert.equal((await view.page.$$('[aria-label="Coverage by stage"] tbody tr')).length, page.coverage.length);
  await view.page.click(".command button");
  await view.page.waitForFunction(() => document.querySelector(".command button").textContent !== "Copy");
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("the list of traces holds what the filters say, and only rows in sight are in the page", async () => {
  const entry = board.entries.at(-1);
  const units = data(`data/${id}/${entry.id}/units`);
  const view = await open(browser, `#/${id}/traces/${entry.id}`);
  assert.match((await text(view.page, "main p[role=status]")).replaceAll(",", ""), new RegExp(`^${units.scenario.length} rollouts? of ${units.scenario.length}`));
  assert.ok((await view.page.$$("[role=listitem]")).length <= Math.min(units.scenario.length, 60));
  const done = units.outcome.filter((outcome) => outcome === 6).length;
  await view.go(`#/${id}/traces/${entry.id}?outcome=completed`);
  assert.match((await text(view.page, "main p[role=status]")).replaceAll(",", ""), new RegExp(`^${done} rollout`));
  const link = await view.page.$eval("[role=listitem] a", (one) => one.getAttribute("href"));
  assert.equal(link, `#/${id}/trace/${entry.id}/${units.outcome.indexOf(6)}`);
  assert.deepEqual(view.problems, []);
  await view.close();
});
