// Every view, light and dark and on a phone: it shows itself, nothing goes wrong in the console, axe finds nothing serious, and the
// page is not wider than the screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { data, launch, open, overflow, shot, site, track, violations } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const containment = track("containment");
const authority = track("authority");

/** Name and address of each view that this site has. */
function views() {
  const list = [];
  if (containment) {
    const { id } = containment;
    const board = data(`data/${id}/board`);
    const entry = board.entries.at(-1).id;
    const { ids } = data(`data/${id}/scenarios`);
    list.push(
      ["trade-off", `#/${id}`], ["trade-off-zoomed", `#/${id}?zoom=1`], ["ranking", `#/${id}/table`], ["ranking-all-metrics", `#/${id}/table?columns=all`],
      ["compare", `#/${id}/compare?a=${board.entries[0].id}&b=${entry}`], ["map", `#/${id}/map`], ["map-letters", `#/${id}/map?size=large&group=domain`],
      ["scenario", `#/${id}/scenario/${encodeURIComponent(ids[0])}`], ["entry", `#/${id}/entry/${entry}`], ["traces", `#/${id}/traces/${entry}`],
    );
  }
  if (authority) {
    const { id } = authority;
    const [entry] = data(`data/${id}/board`).entries;
    list.push(
      ["retention", `#/${id}`], ["acting", `#/${id}/acting`], ["pipeline", `#/${id}/pipeline`], ["authority-entries", `#/${id}/entries`],
      ["authority-entry", `#/${id}/entry/${entry.id}`], ["authority-traces", `#/${id}/traces/${entry.id}`],
    );
  }
  return list;
}

test("the site under test has tracks of both kinds", () => {
  assert.ok(containment && authority, `${site()} needs a containment and an authority track`);
});

for (const [name, address] of views()) {
  for (const dark of [false, true]) {
    test(`${name} is sound, ${dark ? "dark" : "light"}`, async () => {
      const view = await open(browser, address, { dark });
      await shot(view.page, `${name}-${dark ? "dark" : "light"}`);
      assert.equal(await view.page.$(".failed"), null);
      assert.ok((await view.page.title()).length > 8);
      assert.equal((await view.page.$$("h1")).length, 1);
      assert.deepEqual(await violations(view.page), []);
      assert.deepEqual(view.problems, []);
      await view.close();
    });
  }
  test(`${name} fits a screen of 390 pixels`, async () => {
    const view = await open(browser, address, { width: 390, height: 844 });
    await shot(view.page, `${name}-390`);
    assert.equal(await overflow(view.page), 0);
    assert.deepEqual(view.problems, []);
    await view.close();
  });
}
