// Opens a built site in Debian's chromium, by file:// or by an address, and notes what goes wrong in it.
//
//   WEIR_SITE   folder of a built site with at least one containment track; an authority track is looked at too if there is one
//   WEIR_SHOTS  where screenshots go; target/tmp/site if unset
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const WEB = join(ROOT, "host/site/web");
const CHROMIUM = "/usr/bin/chromium";
const SHOTS = process.env.WEIR_SHOTS ?? join(ROOT, "target/tmp/site");

// One node_modules for the build and the tests, which `make tools` makes.
const packages = createRequire(join(WEB, "package.json"));
const AXE = readFileSync(need("axe-core/axe.min.js"), "utf8");
const { default: puppeteer } = await import(pathToFileURL(need("puppeteer-core")).href);

function need(name) {
  try {
    return packages.resolve(name);
  } catch {
    throw new Error(`${name} is not installed: run \`make tools\``);
  }
}

/** The folder of the site under test. */
export function site() {
  const folder = process.env.WEIR_SITE;
  if (!folder || !existsSync(join(folder, "index.html"))) throw new Error("WEIR_SITE must name the folder of a built site: see tests/site/main.rs");
  return resolve(folder);
}

/** A data file's value, read as the page reads it but without one. */
export function data(name, folder = site()) {
  const values = new Map();
  vm.runInNewContext(readFileSync(join(folder, `${name}.js`), "utf8"), { weir: { put: (key, value) => values.set(key, value) } });
  if (!values.has(name)) throw new Error(`${name}.js hands over ${[...values.keys()]}`);
  return JSON.parse(JSON.stringify(values.get(name)));
}

/**
 * A copy of the site under test in a folder of its own, each data file as `edit(value, name)` gives it; undefined leaves the file
 * out. Traces are the site's.
 */
export function variant(edit) {
  const folder = mkdtempSync(join(tmpdir(), "weir-site-"));
  for (const file of ["index.html", "app.js", "app.css"]) cpSync(join(site(), file), join(folder, file));
  symlinkSync(join(site(), "traces"), join(folder, "traces"));
  for (const name of dataFiles(join(site(), "data"))) write(folder, name, edit(data(name), name));
  return folder;
}

/** Writes a data file as the builder does. */
export function write(folder, name, value) {
  if (value === undefined) return;
  mkdirSync(dirname(join(folder, `${name}.js`)), { recursive: true });
  writeFileSync(join(folder, `${name}.js`), `weir.put(${JSON.stringify(name)},JSON.parse(${JSON.stringify(JSON.stringify(value))}));`);
}

function dataFiles(at) {
  return readdirSync(at, { withFileTypes: true }).flatMap((one) => {
    if (one.isDirectory()) return dataFiles(join(at, one.name));
    return one.name.endsWith(".js") ? [relative(site(), join(at, one.name)).replace(/\.js$/, "")] : [];
  });
}

/** The first track of a kind, or undefined. */
export function track(kind, folder = site()) {
  return data("data/site", folder).tracks.find((one) => one.kind === kind);
}

export async function launch() {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: run \`apt-get install chromium\``);
  // Chromium's own sandbox does not start as root, which containers of CI run as.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: [...args, "--disable-dev-shm-usage", "--font-render-hinting=none"] });
}

/**
 * A page that shows an address of the site. `problems` collects console errors, uncaught errors, refusals of the content security
 * policy and failed requests; a test ends with `assert.deepEqual(view.problems, [])`.
 */
export async function open(browser, hash = "", { folder = site(), base = pathToFileURL(join(folder, "index.html")).href, width = 1280, height = 900, dark = false, expect = [] } = {}) {
  // A context of its own: what one test leaves in the browser's storage is not the next one's.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems = [];
  const note = (text) => { if (!expect.some((known) => text.includes(known))) problems.push(text); };
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) note(`console ${message.type()}: ${message.text()}`); });
  page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => note(`request: ${request.url()} ${request.failure()?.errorText}`));
  page.on("dialog", async (dialog) => { note(`dialog: ${dialog.message()}`); await dialog.dismiss(); });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }, { name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(`${base}${hash}`, { waitUntil: "load" });
  await settled(page);
  return {
    page,
    problems,
    go: async (to) => { await page.evaluate((address) => { location.hash = address; }, to); await settled(page); },
    close: () => context.close(),
  };
}

/** Waits until the view has its heading, nothing is loading, and that has stayed so for some frames: a key's view comes after it. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done, fail) => {
    const since = performance.now();
    let calm = 0;
    const look = () => {
      calm = document.querySelector("main h1, main h2, .failed") && !document.querySelector(".loading") ? calm + 1 : 0;
      if (calm > 5) done();
      else if (performance.now() - since > 30000) fail(new Error(`nothing to see at ${location.hash}`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }));
}

/** Waits until a selector's text is what is expected. */
export async function reads(page, selector, expected) {
  await page.waitForFunction((at, words) => document.querySelector(at)?.textContent.replace(/\s+/g, " ").trim() === words, {}, selector, expected);
}

/** Clicks a button by its label and returns the file that it hands over: its name and its text. */
export async function download(page, label) {
  const folder = mkdtempSync(join(tmpdir(), "weir-download-"));
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: page.browserContext().id });
  await page.evaluate((words) => [...document.querySelectorAll("button")].find((one) => one.textContent === words).click(), label);
  const whole = () => readdirSync(folder).find((name) => !name.endsWith(".crdownload"));
  for (let tries = 0; tries < 200 && !whole(); tries++) await new Promise((done) => setTimeout(done, 50));
  const name = whole();
  if (!name) throw new Error(`"${label}" handed over no file`);
  const text = readFileSync(join(folder, name), "utf8");
  rmSync(folder, { recursive: true });
  return { name, text };
}

/** Rules that axe finds broken, serious and critical ones alone, with where. */
export async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // Without preload, which would fetch the style sheet: the policy of the page forbids that, as it should.
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], preload: false });
    return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.length}) ${nodes.slice(0, 3).map(({ target, any }) => `${target.join(" ")} ${any[0]?.message ?? ""}`).join(" | ")}`);
  });
}

/** By how many pixels the page is wider than the screen. */
export async function overflow(page) {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

export async function shot(page, name) {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** The text of what a selector finds first, its white space as one blank. */
export async function text(page, selector) {
  return page.$eval(selector, (element) => element.textContent.replace(/\s+/g, " ").trim());
}
