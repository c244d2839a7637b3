// The trace viewer and the diff, on the traces of a real run. WEIR_SITE=FOLDER node --test
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { frame, linesOf, stored } from "./frames.mjs";
import { digest, overlay } from "./overlay.mjs";
import { data, launch, open, overflow, settled, shot, text, track, violations } from "./support.mjs";

const HARM = 1;
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const board = track("containment").id;
const entries = data(`data/${board}/board`).entries;
const lines = (entry, unit) => linesOf(data(`traces/${board}/${entry}/${unit}`));
const trace = (entry, unit) => {
  const [header, ...events] = lines(entry, unit).map((line) => JSON.parse(line));
  return { header, events };
};
const address = (entry, unit, query = "") => `#/${board}/trace/${entry}/${unit}${query}`;

/** A rollout with harm under one entry and none under another that blocked something: what everybody wants to look at. */
const { harmed, saved, unit } = (() => {
  const units = entries.map(({ id }) => data(`data/${board}/${id}/units`));
  for (const [a, one] of units.entries()) {
    for (const [unit, outcome] of one.outcome.entries()) {
      if (outcome !== HARM) continue;
      for (const [b, other] of units.entries()) {
        const alike = ["scenario", "model", "seed"].every((key) => one[key][unit] === other[key][unit]);
        if (!alike || other.outcome[unit] === HARM) continue;
        const blocks = trace(entries[b].id, unit).events.some(({ body }) => body.verdict === "block" && body.rule);
        if (blocks) return { harmed: entries[a].id, saved: entries[b].id, unit };
      }
    }
  }
  throw new Error("the site under test needs a rollout that harms under one entry and is blocked under another");
})();
const seen = trace(saved, unit);
const block = seen.events.find(({ body }) => body.verdict === "block" && body.rule).id;
const last = seen.events.length - 1;

const selected = (page) => page.evaluate(() => ({
  row: document.querySelector(".row[aria-current]")?.dataset.row ?? null,
  node: document.querySelector(".node[aria-current]")?.dataset.event ?? null,
  slider: document.querySelector(".steps input").value,
  heading: document.querySelector(".trace-details h2").textContent,
  address: new URLSearchParams(location.hash.split("?")[1] ?? "").get("event"),
}));
async function isAt(page, id) {
  await frames(page);
  const { heading, ...places } = await selected(page);
  assert.deepEqual(places, { row: String(id), node: String(id), slider: String(id), address: String(id) });
  assert.match(heading, new RegExp(`^${id} `));
}
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
const found = (page) => text(page, ".found");

describe("a trace", () => {
  test("opens at the event of its address, in the list, the graph, the slider and the details alike", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit, `?event=${block}`));
    await isAt(page, block);
    const inSight = await page.evaluate(() => [".row[aria-current]", ".node[aria-current] .shape"].map((one) => {
      const [{ top, bottom }, box] = [document.querySelector(one).getBoundingClientRect(), document.querySelector(one).closest(".virtual, .canvas").getBoundingClientRect()];
      return top >= box.top && bottom <= box.bottom;
    }));
    assert.deepEqual(inSight, [true, true]);
    assert.equal(await text(page, "[data-digest]"), "✓ digest holds");
    assert.match(await text(page, ".trace > [aria-live]"), new RegExp(`^Step ${block}: decision BLOCK by rule`));
    assert.deepEqual(problems, []);
    await close();
  });

  test("says what it is without a selected event", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit));
    const about = await text(page, ".trace-details");
    for (const part of [seen.header.goal, seen.header.scenario, seen.header.unit, seen.header.policy.name, seen.header.domain.name, `seed${seen.header.origin.seed}`]) {
      assert.ok(about.includes(part.replace(/\s+/g, " ")), part);
    }
    assert.equal((await selected(page)).slider, String(last));
    await page.$$eval(".trace-details details", (all) => all.forEach((one) => { one.open = true; }));
    await page.waitForSelector(".values td");
    const values = data(`data/${board}/${saved}/values`);
    const measured = Object.values(values).filter((all) => all[unit] !== null).length;
    assert.equal((await page.$$(".values tr")).length, measured);
    assert.deepEqual(problems, []);
    await close();
  });

  test("is walked by keys, which leave the browser's history alone", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit));
    const history = await page.evaluate(() => history.length);
    await page.keyboard.press("j");
    await isAt(page, 0);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await isAt(page, 2);
    await page.keyboard.press("k");
    await isAt(page, 1);
    await page.keyboard.press("End");
    await isAt(page, last);
    await page.keyboard.press("j");
    await isAt(page, last);
    await page.keyboard.press("Home");
    await isAt(page, 0);
    await page.keyboard.press("Enter");
    await frames(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".trace-details")));
    await page.keyboard.press("Escape");
    await frames(page);
    assert.equal((await selected(page)).address, null);
    assert.equal(await page.evaluate(() => history.length), history);
    assert.deepEqual(problems, []);
    await close();
  });

  test("keeps the keyboard in its list", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit, `?event=${block}`));
    await page.click(`.row[data-row="${block}"]`);
    const steps = Math.min(8, block);
    for (let by = 1; by <= steps; by += 1) {
      await page.keyboard.press("k");
      await page.waitForFunction((id) => document.activeElement.dataset.row === id, { timeout: 5000 }, String(block - by));
    }
    await isAt(page, block - steps);
    await page.keyboard.press("Enter");
    await frames(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".trace-details")));
    assert.deepEqual(problems, []);
    await close();
  });

  test("is walked along edges in the graph, where the keyboard stays", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit, `?event=${block}`));
    await page.$eval(`.node[data-event="${block}"]`, (node) => node.focus());
    await page.keyboard.press("ArrowLeft");
    const proposal = seen.events[block].edges[0][0];
    await isAt(page, proposal);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.event), String(proposal));
    await page.keyboard.press("ArrowRight");
    await isAt(page, seen.events.find(({ edges }) => edges.some(([parent]) => parent === proposal)).id);
    assert.deepEqual(problems, []);
    await close();
  });

  test("is searched whole, not only where it is drawn, and filtered by kind, taint and decision", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit), { height: 600 });
    const all = seen.events.length;
    const { rule } = seen.events[block].body;
    await page.keyboard.press("f");
    await frames(page);
    await page.keyboard.type(rule);
    await frames(page);
    const withRule = seen.events.filter((event) => JSON.stringify(event).includes(rule)).length;
    assert.equal(await found(page), `${withRule} of ${all} eventsShow all`);
    assert.ok((await page.$$eval(".row mark", (marks) => marks.map((mark) => mark.textContent))).includes(rule));
    await page.click(".found button");
    await frames(page);
    assert.equal(await found(page), `${all} events`);
    for (const kind of new Set(seen.events.map(({ kind }) => kind))) {
      const go = `#/${board}/trace/${saved}/${unit}?kind=${kind}`;
      await page.evaluate((to) => { location.hash = to; }, go);
      await frames(page);
      const count = seen.events.filter((event) => event.kind === kind).length;
      assert.equal(await found(page), count === all ? `${all} events` : `${count} of ${all} eventsShow all`, kind);
    }
    await page.click(".found button");
    await page.select('[aria-label="Taint"]', "tainted");
    await frames(page);
    const taint = (event) => (BigInt(event.labels) & BigInt(seen.header.taint_vocabulary)) !== 0n;
    assert.equal(await found(page), `${seen.events.filter(taint).length} of ${all} eventsShow all`);
    await page.click(".found button");
    await page.select('[aria-label="Decision"]', "block");
    await frames(page);
    const blocks = seen.events.filter(({ body }) => body.verdict === "block").map(({ id }) => String(id));
    assert.deepEqual(await page.$$eval(".row", (rows) => rows.map((row) => row.dataset.row)), blocks);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("j");
    await isAt(page, Number(blocks[0]));
    // The address holds the filter: another reader sees the same.
    const copied = await page.evaluate(() => location.hash);
    const other = await open(browser, copied);
    assert.deepEqual(await other.page.$$eval(".row", (rows) => rows.map((row) => row.dataset.row)), blocks);
    await isAt(other.page, Number(blocks[0]));
    assert.deepEqual([...problems, ...other.problems], []);
    await other.close();
    await close();
  });

  test("grows with its slider, which the list follows", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit));
    for (const step of [0, block, last]) {
      await page.$eval(".steps input", (input, value) => {
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }, step);
      await isAt(page, step);
      const tainted = seen.events.slice(0, step + 1).filter(({ labels }) => labels & seen.header.taint_vocabulary).length;
      assert.equal(await text(page, ".steps output"), `step ${step} of ${last} · ${tainted} of ${step + 1} tainted by then`);
      const shown = await page.$$eval(".node", (nodes) => nodes.map((node) => [Number(node.dataset.event), node.classList.contains("later"), node.classList.contains("taint")]));
      for (const [id, later, taint] of shown) {
        assert.equal(later, id > step, `event ${id} at step ${step}`);
        assert.equal(taint, (seen.events[id].labels & seen.header.taint_vocabulary) !== 0, `event ${id}`);
      }
    }
    await page.click('[aria-label="Step back"]');
    await isAt(page, last - 1);
    assert.deepEqual(problems, []);
    await close();
  });

  test("shows a decision with its rule, fuel, words and the arguments' sources", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit, `?event=${block}`));
    const { body, call } = seen.events[block];
    const details = await text(page, ".trace-details");
    for (const part of [body.rule, body.message, body.fuel.toString().replace(/\B(?=(\d{3})+$)/g, ","), "a proposal authorize"]) {
      assert.ok(details.includes(part), part);
    }
    const proposal = seen.events.find((event) => event.kind === "proposal" && event.call === call);
    const source = proposal.body.arguments.flatMap(({ sources }) => sources)[0];
    const state = seen.events[proposal.edges.find(([parent]) => seen.events[parent].kind === "agent-state")[0]];
    assert.ok((await page.$$eval(".said pre", (all) => all.map((one) => one.textContent))).includes(state.text), "the model's raw text");
    if (source !== undefined) {
      await page.$$eval(".sources a", ([link]) => link.click());
      await isAt(page, source);
    }
    assert.deepEqual(problems, []);
    await close();
  });

  test("leads to its entry and to all rollouts of its scenario", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit));
    const links = await page.$$eval(".trace-head a", (all) => all.map((link) => link.getAttribute("href")));
    assert.equal(links.length, 2);
    for (const link of links) {
      const next = await open(browser, link);
      assert.doesNotMatch(await text(next.page, "main"), /There is no such page/);
      assert.deepEqual(next.problems, []);
      await next.close();
    }
    assert.deepEqual(problems, []);
    await close();
  });

  test("copies the command that shows it in a terminal", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit));
    await page.evaluate(() => {
      globalThis.copied = [];
      navigator.clipboard.writeText = async (words) => void globalThis.copied.push(words);
    });
    await page.$$eval(".trace-head .copy", ([button]) => button.click());
    const folder = entries.find(({ id }) => id === saved).folder;
    const [command] = await page.evaluate(() => globalThis.copied);
    assert.equal(command.replaceAll("'", ""), `weir trace ${folder} --unit ${seen.header.unit.slice(0, 16)}`);
    assert.deepEqual(problems, []);
    await close();
  });

  test("says of an event that it does not have that it does not have it", async () => {
    const { page, problems, close } = await open(browser, address(saved, unit, "?event=99999"));
    assert.match(await text(page, ".trace > [role=alert]"), new RegExp(`no event 99999: it ends with event ${last}`));
    assert.deepEqual(problems, []);
    await close();
  });

  test("of a thousand events has few of them in the page, and all of them within reach", async () => {
    const own = lines(saved, unit);
    const times = Math.ceil(1000 / seen.events.length);
    const long = [own[0], ...Array.from({ length: times }, (_, round) => seen.events.map((event) => {
      const by = round * seen.events.length;
      const moved = { ...event, id: event.id + by, edges: event.edges.map(([parent, kind]) => [parent + by, kind]) };
      return JSON.stringify(round === times - 1 && event.id === 0 ? { ...moved, text: "needle at the end" } : moved);
    })).flat()];
    const folder = overlay(board, saved, { [unit]: { frame: frame(long), sha256: digest(long) } });
    const { page, problems, close } = await open(browser, address(saved, unit), { folder });
    const drawn = () => page.evaluate(() => [".row", ".node"].map((one) => document.querySelectorAll(one).length));
    await page.keyboard.press("End");
    await isAt(page, long.length - 2);
    assert.ok((await drawn()).every((count) => count > 5 && count < 100), `${await drawn()}`);
    await page.keyboard.press("f");
    await frames(page);
    await page.keyboard.type("needle at the end");
    await frames(page);
    assert.equal(await found(page), `1 of ${long.length - 1} eventsShow all`);
    await page.click(".row");
    await isAt(page, (times - 1) * seen.events.length);
    assert.deepEqual(problems, []);
    await close();
    rmSync(folder, { recursive: true });
  });

  for (const [name, options] of [["light", {}], ["dark", { dark: true }], ["a phone", { width: 390, height: 844 }], ["a dark phone", { width: 390, height: 844, dark: true }]]) {
    test(`is accessible and fits its page: ${name}`, async () => {
      const { page, problems, close } = await open(browser, address(saved, unit, `?event=${block}`), options);
      await page.$$eval(".trace details", (all) => all.forEach((one) => { one.open = true; }));
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
      await shot(page, `trace-${name.replaceAll(" ", "-")}`);
      if (options.width) {
        for (const [tab, panel] of [["Events", "list"], ["Graph", "graph"], ["Details", "details"]]) {
          await page.$$eval(".panel-tabs button", (buttons, tab) => buttons.find(({ textContent }) => textContent === tab).click(), tab);
          await frames(page);
          const visible = await page.$$eval(".panels > section", (all) => all.filter((one) => one.checkVisibility()).map((one) => one.className));
          assert.deepEqual(visible, [`trace-${panel}`]);
          assert.equal(await overflow(page), 0);
          assert.deepEqual(await violations(page), []);
          await shot(page, `trace-${name.replaceAll(" ", "-")}-${panel}`);
        }
      }
      assert.deepEqual(problems, []);
      await close();
    });
  }
});

describe("a trace that is not what was recorded", () => {
  const honest = lines(saved, unit);
  const folders = [];
  const show = (trace) => {
    folders.push(overlay(board, saved, { [unit]: trace }));
    return folders.at(-1);
  };
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  const altered = honest.with(1, honest[1].replace(/"text":"/, '"text":"It was otherwise. '));

  for (const [name, made] of [
    ["a line was changed", { frame: frame(altered, { sha256: digest(honest) }), sha256: digest(honest) }],
    ["a line and its digest were changed, the entry's table was not", { frame: frame(altered), sha256: digest(honest) }],
  ]) {
    test(`is called altered: ${name}`, async () => {
      const { page, problems, close } = await open(browser, address(saved, unit), { folder: show(made) });
      assert.match(await text(page, '[data-digest="altered"]'), /this trace was altered: its lines hash to/);
      assert.deepEqual(problems, []);
      await close();
    });
  }

  test("is an error that says what is wrong where it cannot be read", async () => {
    const cut = stored(Buffer.from(`${honest.slice(0, 3).join("\n")}\n{"ev`));
    const { page, problems, close } = await open(browser, address(saved, unit), { folder: show({ frame: cut, sha256: digest(honest) }) });
    assert.match(await text(page, ".failed"), /This trace could not be shown\.\s*the trace's frame ends too early/);
    assert.deepEqual(problems, []);
    await close();
  });

  test("is shown as text and does nothing, whatever stands in it", async () => {
    const evil = '<img src=x onerror="window.harm=1"><script>window.harm=1</script>\u202egnp\u202c\u001b[2J <a href="javascript:window.harm=1">x</a>';
    const [header, ...events] = honest.map((line) => JSON.parse(line));
    Object.assign(header, { goal: evil, scenario: evil, stage: evil, family: evil, topology: evil, agents: header.agents.map(() => evil), label_names: [evil], canaries: ["K7-canary"] });
    Object.assign(header.policy, { name: evil });
    Object.assign(header.domain, { name: evil });
    header.ledgers = [{ form: evil, entries: [{ action: evil, targets: [evil], constraints: [{ argument: evil, rule: { equals: evil } }] }] }];
    header.exchanges = { [evil]: [{ request: { role: evil, messages: [{ speaker: evil, content: evil }], max_tokens: 1 }, answer: { refusal: evil } }, { request: { role: evil, messages: [], max_tokens: 1 }, answer: { completion: { text: evil, input_tokens: 1, output_tokens: 1, cost_millionths: 0 } } }] };
    for (const event of events) {
      event.text = `${evil} K7-canary ${"long ".repeat(800)}${event.text}`;
      event.labels |= 256;
      for (const key of ["origin", "rule", "message", "target"]) if (key in event.body) event.body[key] = evil;
      if (event.body.targets) event.body.targets = [evil];
      for (const argument of event.body.arguments ?? []) argument.value = JSON.stringify(evil);
    }
    events.push({ id: events.length, kind: evil, agent: 9, labels: 0, facts: 0, edges: [[0, evil]], text: evil, body: { type: evil } });
    const made = [header, ...events].map((value) => JSON.stringify(value));
    const { page, problems, close } = await open(browser, address(saved, unit), { folder: show({ frame: frame(made), sha256: digest(made) }) });
    for (const event of [null, ...events.keys()]) {
      await page.evaluate((to) => { location.hash = to; }, address(saved, unit, event === null ? "" : `?event=${event}`));
      await frames(page);
      await page.$$eval(".trace details", (all) => all.forEach((one) => { one.open = true; }));
      await page.$$eval(".said > button", (all) => all.forEach((one) => one.click()));
      await frames(page);
      const state = await page.evaluate(() => ({
        harm: window.harm ?? null,
        made: document.querySelectorAll("main img, main script, main iframe, main a:not([href^='#/'])").length,
        hidden: /.{0,160}[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.exec(document.documentElement.outerHTML)?.[0] ?? null,
      }));
      assert.deepEqual(state, { harm: null, made: 0, hidden: null }, `event ${event}`);
      if (event === 0) {
        const said = await text(page, ".trace-details .said pre");
        assert.ok(said.includes('<img src=x onerror="window.harm=1">'), said.slice(0, 200));
        assert.ok(said.includes("\\u202Egnp\\u202C\\u001B[2J"), said.slice(0, 200));
        assert.equal(await text(page, ".trace-details .said mark.canary"), "K7-canary");
      }
    }
    await page.evaluate((to) => { location.hash = to; }, `#/${board}/diff/${harmed}/${unit}/${saved}/${unit}`);
    await settled(page);
    assert.equal(await page.evaluate(() => window.harm ?? null), null);
    assert.equal(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0);
    assert.ok((await text(page, ".pairs")).includes("<script>window.harm=1</script>"));
    await shot(page, "trace-hostile");
    assert.deepEqual(problems, []);
    await close();
  });
});

describe("two traces", () => {
  const diff = `#/${board}/diff/${harmed}/${unit}/${saved}/${unit}`;
  const other = trace(harmed, unit);
  /** Where the courses part, by what stands in the lines: kinds, texts of what is not a policy's, verdicts. */
  const parting = (() => {
    const course = ({ events }) => events.map((event) => JSON.stringify([event.kind, event.body.verdict ?? null, event.kind === "decision" ? "" : event.text]));
    const [a, b] = [course(other), course(seen)];
    return a.findIndex((one, index) => one !== b[index]);
  })();

  test("open where they part, and are walked from difference to difference", async () => {
    const { page, problems, close } = await open(browser, diff);
    const current = () => page.$eval(".pair.current", (row) => ({ pair: Number(row.dataset.pair), text: row.textContent, focus: row === document.activeElement, seen: row.getBoundingClientRect().top >= 0 && row.getBoundingClientRect().bottom <= innerHeight }));
    const first = await current();
    assert.equal(first.pair, parting);
    assert.match(first.text, /They part here/);
    assert.ok(first.seen, "in sight");
    if (seen.events[parting].body.verdict) assert.ok(first.text.includes("verdict"), first.text);
    const differences = await page.$$eval(".pair.changed, .pair.only-a, .pair.only-b", (rows) => rows.map((row) => Number(row.dataset.pair)));
    assert.equal(await text(page, ".stepper [role=status]"), `Difference 1 of ${differences.length}, where they part`);
    assert.ok(differences.length > 1);
    await page.keyboard.press("n");
    await frames(page);
    const copied = await open(browser, await page.evaluate(() => location.hash));
    assert.equal(await text(copied.page, ".stepper [role=status]"), `Difference 2 of ${differences.length}`);
    await copied.close();
    assert.deepEqual(await current().then(({ pair, focus, seen }) => [pair, focus, seen]), [differences[1], true, true]);
    await page.keyboard.press("p");
    await frames(page);
    assert.equal((await current()).pair, differences[0]);
    await page.keyboard.press("p");
    await frames(page);
    assert.equal((await current()).pair, differences[0]);
    assert.deepEqual(problems, []);
    await close();
  });

  test("show every event of both, once folded rows are asked for, each with a link to it", async () => {
    const { page, problems, close } = await open(browser, diff);
    await page.$$eval(".stepper input", ([input]) => input.click());
    await frames(page);
    const links = await page.$$eval(".pair .side a", (all) => all.map((link) => link.getAttribute("href")));
    const wanted = [[harmed, other], [saved, seen]].flatMap(([entry, { events }]) => events.map(({ id }) => `#/${board}/trace/${entry}/${unit}?event=${id}`));
    assert.deepEqual(links.toSorted(), wanted.toSorted());
    assert.deepEqual(problems, []);
    await close();
  });

  test("have the difference of each measured value", async () => {
    const { page, problems, close } = await open(browser, diff);
    await page.waitForSelector(".deltas");
    const [a, b] = [harmed, saved].map((entry) => data(`data/${board}/${entry}/values`));
    const different = Object.keys(a).filter((name) => a[name][unit] !== b[name]?.[unit]).length;
    assert.equal((await page.$$(".deltas tbody tr")).length, different);
    const title = data(`data/${board}/board`).metrics.find(({ name }) => name === "committed_harm").title;
    const row = await page.$$eval(".deltas tbody tr", (rows, title) => rows.map((one) => [...one.cells].map((cell) => cell.textContent)).find(([name]) => name === title), title);
    assert.deepEqual(row.slice(1), ["1", "0", "−1 better"]);
    assert.deepEqual(problems, []);
    await close();
  });

  test("are found from one of them", async () => {
    const { page, problems, close } = await open(browser, address(harmed, unit));
    await page.select(".compare select", saved);
    await page.waitForSelector(".diff");
    assert.equal(await page.evaluate(() => location.hash), diff);
    assert.deepEqual(problems, []);
    await close();
  });

  test("of different tasks are said to be no fair pair", async () => {
    const units = data(`data/${board}/${saved}/units`);
    const strange = units.scenario.findIndex((scenario) => scenario !== units.scenario[unit]);
    const { page, problems, close } = await open(browser, `#/${board}/diff/${saved}/${unit}/${saved}/${strange}`);
    assert.match(await text(page, ".warning"), /differ in their scenario/);
    assert.deepEqual(problems, []);
    await close();
  });

  for (const [name, options] of [["light", {}], ["dark", { dark: true }], ["a phone", { width: 390, height: 844 }], ["a dark phone", { width: 390, height: 844, dark: true }]]) {
    test(`are accessible and fit their page: ${name}`, async () => {
      const { page, problems, close } = await open(browser, diff, options);
      await page.waitForSelector(".deltas");
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
      await shot(page, `diff-${name.replaceAll(" ", "-")}`);
      assert.deepEqual(problems, []);
      await close();
    });
  }
});

const authority = track("authority")?.id;
test("traces of an authority track open too", { skip: !authority && "the site under test has none" }, async () => {
  const { entries } = data(`data/${authority}/board`);
  for (const module of ["A", "B", "C"]) {
    const entry = entries.find((one) => one.module === module);
    if (!entry) continue;
    const { page, problems, close } = await open(browser, `#/${authority}/trace/${entry.id}/0?event=1`);
    await isAt(page, 1);
    assert.equal(await text(page, "[data-digest]"), "✓ digest holds");
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(problems, []);
    await close();
  }
});
