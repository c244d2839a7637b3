// AuthMem-Bench: each module's figure and table are the data's, by writer, condition, arm and model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { data, launch, open, text, track } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const { id } = track("authority");
const board = data(`data/${id}/board`);
const rate = (value) => (value === null ? "N/A" : value.toFixed(3));

/** Rows of the view's table, their first column's name and all text. */
async function rows(page, label) {
  return page.$$eval(`[aria-label="${label}"] tbody tr`, (all) => all.map((row) => [row.querySelector("th .name").textContent, row.textContent]));
}

function check(shown, expected, metrics) {
  assert.equal(shown.length, expected.length);
  expected.forEach((row, index) => {
    assert.ok(shown[index][0].startsWith(row.name), shown[index][0]);
    for (const metric of metrics) {
      const estimate = row.metrics[metric];
      if (!estimate) continue;
      const words = estimate.value === null ? "N/A" : `${rate(estimate.value)}[${rate(estimate.low)}, ${rate(estimate.high)}]${estimate.numerator}/${estimate.denominator}`;
      assert.ok(shown[index][1].replaceAll(",", "").includes(words.replaceAll(",", "")), `${row.name} ${metric} ${words}: ${shown[index][1]}`);
    }
  });
}

test("retention of both kinds and upgrades stand in one table, and in one figure each", async () => {
  for (const view of new Set(board.writing.map((row) => row.view))) {
    const [stage] = board.stages;
    const method = board.writing.find((row) => row.stage === stage)?.method ?? "";
    const page = await open(browser, `#/${id}?view=${view ?? ""}&method=${method}`);
    const expected = board.writing.filter((row) => row.stage === stage && row.view === view && (row.method ?? "") === method);
    check(await rows(page.page, "Retention and upgrade by writer"), expected, ["ret_positive", "ret_negative", "upgrade_all"]);
    assert.equal((await page.page.$$("figure")).length, 2);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test("attacks and tasks by condition, for each model", async () => {
  const [stage] = board.stages;
  for (const model of new Set(board.acting.filter((row) => row.stage === stage).map((row) => row.model))) {
    const page = await open(browser, `#/${id}/acting?model=${encodeURIComponent(model ?? "")}`);
    const expected = board.acting.filter((row) => row.stage === stage && row.model === model);
    check(await rows(page.page, "Attacks and tasks by condition"), expected, ["asr", "tsr"]);
    const drawn = expected.filter((row) => !row.null && row.metrics.asr?.value != null && row.metrics.tsr?.value != null).length;
    assert.equal((await page.page.$$(".figure .dot")).length, drawn);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test("attacks and tasks by arm, for each writer", async () => {
  const [stage] = board.stages;
  for (const writer of new Set(board.pipeline.filter((row) => row.stage === stage).map((row) => row.under))) {
    const all = board.pipeline.filter((row) => row.stage === stage && row.under === writer);
    const { model } = all[0];
    const page = await open(browser, `#/${id}/pipeline?writer=${writer}&model=${encodeURIComponent(model ?? "")}`);
    check(await rows(page.page, "Attacks and tasks by arm"), all.filter((row) => row.model === model), ["asr", "tsr"]);
    assert.deepEqual(page.problems, []);
    await page.close();
  }
});

test("a cell's traces are filtered by side and by what became of it", async () => {
  const entry = board.entries.find((one) => one.module === "A");
  const units = data(`data/${id}/${entry.id}/units`);
  const page = await open(browser, `#/${id}/traces/${entry.id}?side=1&became=retained`);
  const many = units.side.filter((side, unit) => side === 1 && units.retention[unit] === 3).length;
  assert.match((await text(page.page, "main p[role=status]")).replaceAll(",", ""), new RegExp(`^${many} rollouts? of ${units.side.length}`));
  assert.deepEqual(page.problems, []);
  await page.close();
});

test("entries are filtered by module, model and words", async () => {
  const page = await open(browser, `#/${id}/entries?module=B`);
  const shown = await page.page.$$eval('[aria-label="Entries"] tbody th', (all) => all.map((head) => head.textContent));
  assert.deepEqual(shown, board.entries.filter((entry) => entry.module === "B").map((entry) => entry.name));
  assert.deepEqual(page.problems, []);
  await page.close();
});
