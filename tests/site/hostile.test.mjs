// A site whose every free text is markup, script or worse: nothing of it runs, nothing becomes an element, all is shown as text.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { data, launch, open, overflow, track, variant } from "./support.mjs";

const MARKUP = `<img src=x onerror="window.hurt=1"><script>window.hurt=2</script><svg onload=window.hurt=3></svg><iframe src="javascript:window.hurt=4"></iframe></td></table><style>*{display:none}</style>"'>{{7*7}}\u202e\u0000`;
/** Keys that the page looks things up by, or that have a format of their own. */
const PLAIN = new Set([
  "format", "kind", "id", "stage", "stages", "primary", "metric", "model", "domain", "domains", "badge", "better", "module", "digest", "plan", "date", "trace", "entry",
  "transitions", "view", "method", "under", "sha256", "key",
]);

let browser;
let folder;
before(async () => {
  browser = await launch();
  folder = variant((value, name) => hostile(name.endsWith("/entry") ? signed(value) : value, "", name));
});
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** An entry's page with everything that a submission adds. */
function signed(page) {
  return {
    ...page,
    submission: page.submission ?? { policy: { name: "p" }, authors: ["somebody"] },
    attestations: [{ predicateType: "type", key: "00", signer: "someone", subjects: [{ name: "component", sha256: "00" }], statement: { predicate: { result: "PASSED" } } }],
    notes: [...page.notes, "note"],
  };
}

/** The same value with every free text, and every free key, made hostile. Models keep the name that cells are found by. */
function hostile(value, key, path) {
  if (typeof value === "string") return PLAIN.has(key) || (key === "name" && /models|metrics|^pairs/.test(path)) ? value : `${value}${MARKUP}`;
  if (Array.isArray(value)) return value.map((item) => hostile(item, key, path));
  if (value === null || typeof value !== "object") return value;
  const free = ["manifest", "submission", "statement"].includes(key) || path.includes("free");
  return Object.fromEntries(Object.entries(value).map(([name, item]) => {
    const inside = free ? `${path}/free` : `${path}/${name}`;
    return [free ? `${name}${MARKUP}` : name, hostile(item, free ? "free" : name, inside)];
  }));
}

function addresses() {
  const list = [];
  for (const kind of ["containment", "authority"]) {
    const { id } = track(kind, folder);
    const board = data(`data/${id}/board`, folder);
    const entry = board.entries.at(-1).id;
    const views = kind === "containment" ? ["", "?zoom=1", "/table?columns=all", `/compare?a=${board.entries[0].id}&b=${entry}`, "/map?size=large", "/map?group=family"] : ["", "/acting", "/pipeline", "/entries"];
    list.push(...views.map((view) => `#/${id}${view}`), `#/${id}/entry/${entry}`, `#/${id}/traces/${entry}`);
    const { ids } = data(`data/${id}/scenarios`, folder);
    list.push(`#/${id}/scenario/${encodeURIComponent(ids[0])}`);
  }
  return [...list, `#/${encodeURIComponent(MARKUP)}`, `#/${track("containment", folder).id}/${encodeURIComponent(MARKUP)}`, `#/${track("containment", folder).id}/table?q=${encodeURIComponent(MARKUP)}&sort=${encodeURIComponent(MARKUP)}`];
}

test("hostile text is text in every view", async () => {
  const view = await open(browser, "", { folder });
  let seen = 0;
  for (const address of addresses()) {
    await view.go(address);
    await view.page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
    const found = await view.page.evaluate(() => ({
      hurt: window.hurt ?? null,
      // Elements that no view of this site makes.
      foreign: [...document.querySelectorAll("main img, main iframe, main script, main style, header img, header script, [onerror], [onload], [onclick]")].map((one) => one.outerHTML),
      scripts: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")).filter((link) => !link.startsWith("#")),
      shown: document.querySelector("main").textContent.includes("<img src=x onerror"),
      failed: document.querySelector("main .failed")?.textContent ?? null,
    }));
    assert.deepEqual({ ...found, shown: true }, { hurt: null, foreign: [], scripts: [], shown: true, failed: null }, address);
    seen += found.shown ? 1 : 0;
  }
  assert.ok(seen >= addresses().length - 2, `${seen} of ${addresses().length} views show the text`);
  assert.deepEqual(view.problems, []);
  await view.close();
});

test("hostile names can be searched, hovered and read on a phone", async () => {
  const { id } = track("containment", folder);
  const view = await open(browser, `#/${id}`, { folder, width: 390, height: 844 });
  assert.equal(await overflow(view.page), 0);
  await view.page.evaluate(() => document.querySelector(".figure a.dot").focus());
  await view.page.focus("#search");
  await view.page.keyboard.type("img");
  await view.page.waitForSelector("[role=option]");
  assert.equal(await view.page.evaluate(() => document.querySelectorAll("[role=option] img, .tip img").length), 0);
  await view.go(`#/${id}/table`);
  assert.equal(await overflow(view.page), 0);
  await view.go(`#/${id}/map`);
  assert.equal(await overflow(view.page), 0);
  assert.equal(await view.page.evaluate(() => window.hurt ?? null), null);
  assert.deepEqual(view.problems, []);
  await view.close();
});
