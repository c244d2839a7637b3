// The frame: deep links, keyboard, help, theme, search, titles, what cannot be found or loaded, and print.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { data, launch, open, overflow, reads, settled, text, track, variant, violations, write } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const { id } = track("containment");
const board = data(`data/${id}/board`);
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("a deep link opens its view with its filters, and the address says what the reader chose", async () => {
  const [domain] = board.domains;
  const view = await open(browser, `#/${id}/table?stage=${board.stages[1].id}&domain=${domain}`);
  assert.equal(await text(view.page, "nav[aria-label=Stages] [aria-current]"), board.stages[1].title);
  assert.equal(await view.page.$eval(".fields select", (select) => select.value), domain);
  await view.page.select(".fields select", "");
  assert.equal(new URL(view.page.url()).hash, `#/${id}/table?stage=${board.stages[1].id}`);
  await view.page.reload();
  await settled(view.page);
  assert.equal(await text(view.page, "nav[aria-label=Stages] [aria-current]"), board.stages[1].title);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("going back leaves a view, not a filter", async () => {
  const view = await open(browser, `#/${id}`);
  await view.go(`#/${id}/table`);
  await view.page.type(".fields input", "none");
  await view.page.goBack();
  await settled(view.page);
  assert.equal(new URL(view.page.url()).hash, `#/${id}`);
  await view.close();
});

test("going back leads to where the reader was: on the page, in a list, on the map", async () => {
  const view = await open(browser, `#/${id}/table?columns=all`, { height: 300 });
  await view.page.evaluate(() => scrollTo(0, 240));
  await view.page.waitForFunction(() => history.state?.top === 240);
  await view.go(`#/${id}/map`);
  assert.equal(await view.page.evaluate(() => scrollY), 0);
  await view.page.goBack();
  await view.page.waitForFunction(() => scrollY === 240);
  const entry = board.entries.at(-1);
  await view.go(`#/${id}/traces/${entry.id}`);
  await view.page.evaluate(() => { document.querySelector(".virtual").scrollTop = 56 * 15; });
  await view.page.waitForFunction(() => document.querySelector('[aria-posinset="20"] a'));
  await view.page.$eval('[aria-posinset="20"] a', (link) => link.click());
  await view.page.waitForFunction(() => location.hash.includes("/trace/"));
  await view.page.goBack();
  await view.page.waitForFunction(() => document.querySelector(".rollout.left"));
  assert.equal(await view.page.$eval(".rollout.left", (link) => link.parentElement.getAttribute("aria-posinset")), "20");
  await view.close();
});

test("the title names the view, and a new view takes the focus", async () => {
  const view = await open(browser, `#/${id}`);
  const first = await view.page.title();
  await view.page.click("nav.tabs a:nth-child(2)");
  await view.page.waitForFunction((title) => document.title !== title && document.activeElement.id === "main", {}, first);
  await view.close();
});

test("many benchmarks are a list to choose from", async () => {
  const folder = variant((value, name) => (name === "data/site" ? { ...value, tracks: [...Array(7).keys()].flatMap((index) => (index ? { ...value.tracks[0], id: `more-${index}`, title: `Condition ${index}` } : value.tracks)) } : value));
  for (const tracks of [1, 2, 3, 4, 5, 6]) write(folder, `data/more-${tracks}/board`, board);
  const view = await open(browser, `#/${id}`, { folder, width: 390, height: 844 });
  await view.page.select("select.tracks", "more-5");
  await view.page.waitForFunction(() => location.hash === "#/more-5");
  await settled(view.page);
  assert.deepEqual(await violations(view.page), []);
  assert.equal(await overflow(view.page), 0);
  assert.deepEqual(view.problems, []);
  await view.close();
  rmSync(folder, { recursive: true });
});

test("the first tab stop skips to the content", async () => {
  const view = await open(browser, `#/${id}`);
  await view.page.keyboard.press("Tab");
  assert.equal(await view.page.evaluate(() => document.activeElement.className), "skip");
  await view.page.keyboard.press("Enter");
  assert.equal(await view.page.evaluate(() => document.activeElement.id), "main");
  assert.equal(new URL(view.page.url()).hash, `#/${id}`);
  await view.close();
});

test("keys lead to views, open the help and close it", async () => {
  const view = await open(browser, `#/${id}`);
  for (const [key, address] of [["2", "/table"], ["3", "/compare"], ["4", "/map"], ["1", ""]]) {
    await view.page.keyboard.press(key);
    await view.page.waitForFunction((hash) => location.hash.replace(/\?.*/, "") === hash, {}, `#/${id}${address}`);
    await settled(view.page);
  }
  await view.page.keyboard.press("?");
  await view.page.waitForSelector("dialog[open]");
  assert.deepEqual(await violations(view.page), []);
  await view.page.keyboard.press("2");
  assert.equal(new URL(view.page.url()).hash, `#/${id}`, "keys belong to the dialog while it is open");
  await view.page.keyboard.press("Escape");
  await view.page.waitForSelector("dialog", { hidden: true });
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("search finds an entry and a scenario, by keyboard alone", async () => {
  const view = await open(browser, `#/${id}`);
  await view.page.keyboard.press("/");
  const entry = board.entries.at(-1);
  await view.page.keyboard.type(entry.name);
  await view.page.waitForSelector("[role=option]");
  assert.equal(await view.page.$eval("#search", (input) => input.value), entry.name, "the key that leads here types nothing");
  await view.page.keyboard.press("Enter");
  await reads(view.page, "h1", entry.name);
  const { ids } = data(`data/${id}/scenarios`);
  await view.page.keyboard.press("/");
  await view.page.keyboard.type(ids[2]);
  await view.page.waitForSelector("[role=option]");
  await view.page.keyboard.press("Enter");
  await reads(view.page, "h1", ids[2]);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("the theme follows the system, then the switch, and is remembered", async () => {
  const view = await open(browser, `#/${id}`);
  const light = await background(view.page);
  await view.page.click("button[aria-label^=Theme]");
  const dark = await background(view.page);
  assert.notEqual(dark, light);
  await view.page.reload();
  await settled(view.page);
  assert.equal(await background(view.page), dark);
  await view.page.keyboard.press("t");
  assert.equal(await background(view.page), light);
  await view.page.keyboard.press("t");
  await view.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  assert.equal(await background(view.page), dark, "auto follows the system");
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("what is not there is said, whatever the address", async () => {
  for (const address of ["#/no-such-track", `#/${id}/no-such-view`, `#/${id}/entry/nobody`, `#/${id}/scenario/none`, `#/${id}/entry/%E0%A4%A`]) {
    const view = await open(browser, address);
    assert.match(await text(view.page, "h1"), /There is no such page/, address);
    assert.deepEqual(view.problems, []);
    await view.close();
  }
});

test("a data file that is missing is named in words, and can be tried again", async () => {
  const folder = variant((value, name) => (name === "data/site" ? value : undefined));
  const expect = ["ERR_FILE_NOT_FOUND"];
  const view = await open(browser, `#/${id}`, { folder, expect });
  assert.match(await text(view.page, ".failed"), new RegExp(`data/${id}/board\\.js could not be loaded`));
  assert.deepEqual(await violations(view.page), []);
  write(folder, `data/${id}/board`, board);
  await view.page.click(".failed button");
  await view.page.waitForSelector("h1");
  assert.equal(await view.page.$(".failed"), null);
  assert.deepEqual(view.problems, []);
  await view.close();
  rmSync(folder, { recursive: true });
});

test("in print there is no navigation, and no scroll box cuts a table", async () => {
  const view = await open(browser, `#/${id}/table`);
  await view.page.emulateMediaType("print");
  assert.equal(await view.page.$eval(".top", (top) => getComputedStyle(top).display), "none");
  assert.equal(await view.page.$eval(".scroll", (box) => getComputedStyle(box).overflow), "visible");
  await view.close();
});
