// What a reader waits for: node measure.mjs ADDRESS, of a served site. Prints the first view and some traces: milliseconds until
// each can be used, and bytes that came over the wire. Part of `make bench`; nothing here is asserted.
import { launch } from "./support.mjs";

const TRACES = 9;
const [address] = process.argv.slice(2);
if (!address) throw new Error("usage: node measure.mjs ADDRESS");
const browser = await launch();

/** A page with nothing cached, and the bytes that it received. */
async function fresh() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const session = await page.createCDPSession();
  const wire = { bytes: 0 };
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => { wire.bytes += encodedDataLength; });
  return { page, wire, close: () => context.close() };
}

/** Milliseconds, in the page's own clock, from its start until a selector is there and the main thread is idle. */
async function usable(page, hash, selector) {
  await page.goto(`${address}${hash}`, { waitUntil: "domcontentloaded" });
  await page.waitForSelector(selector);
  return page.evaluate(() => new Promise((done) => requestIdleCallback(() => done(performance.now()))));
}

const first = await fresh();
const shown = await usable(first.page, "", "main h1");
console.log(`first view       ${Math.round(shown)} ms until it can be used, ${(first.wire.bytes / 1e6).toFixed(2)} MB`);

const { track, entry } = await first.page.evaluate(async () => {
  const [link] = [...document.querySelectorAll('main a[href*="/entry/"]')].map((one) => one.getAttribute("href").split("/"));
  return { track: link[1], entry: link[3] };
});
const times = [];
for (let index = 0; index < TRACES; index++) {
  const time = await first.page.evaluate(async (to) => {
    const since = performance.now();
    location.hash = to;
    // The graph comes last.
    while (!document.querySelector("main svg.graph, main .failed")) await new Promise((done) => requestAnimationFrame(done));
    const time = performance.now() - since;
    if (document.querySelector("main .failed")) throw new Error(document.querySelector("main .failed").textContent);
    location.hash = "#/";
    while (document.querySelector("main svg.graph")) await new Promise((done) => requestAnimationFrame(done));
    return time;
  }, `#/${track}/trace/${entry}/${index}`);
  times.push(time);
}
times.sort((a, b) => a - b);
console.log(`a trace          ${Math.round(times[TRACES >> 1])} ms in the median, ${Math.round(times.at(-1))} ms at most, of ${TRACES}`);
await first.close();
await browser.close();
