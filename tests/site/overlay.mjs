// A site with some traces put in the place of others: what a hostile or damaged trace does to the page.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { data, site } from "./support.mjs";

/**
 * A folder that shows the site under test, but has these traces of one entry: by unit, a frame, and the digest that the entry's
 * table says. The rest is linked, not copied.
 */
export function overlay(track, entry, traces, from = site()) {
  const folder = mkdtempSync(join(tmpdir(), "weir-site-"));
  for (const name of ["index.html", "app.js", "app.css"]) copyFileSync(join(from, name), join(folder, name));
  const link = (path, but) => {
    mkdirSync(join(folder, path), { recursive: true });
    for (const name of readdirSync(join(from, path))) if (!but.includes(name)) symlinkSync(join(from, path, name), join(folder, path, name));
  };
  link("data", [track]);
  link(join("data", track), [entry]);
  link(join("data", track, entry), ["units.js"]);
  link("traces", [track]);
  link(join("traces", track), [entry]);
  mkdirSync(join(folder, "traces", track, entry));
  const units = data(`data/${track}/${entry}/units`, from);
  for (const [unit, { frame, sha256 }] of Object.entries(traces)) {
    units.trace[unit] = sha256.slice(0, 16);
    put(folder, `traces/${track}/${entry}/${unit}`, frame.toString("base64"));
  }
  put(folder, `data/${track}/${entry}/units`, units);
  return folder;
}

/** The digest of a trace's lines. */
export function digest(lines) {
  return createHash("sha256").update(lines.map((line) => `${line}\n`).join("")).digest("hex");
}

function put(folder, name, value) {
  writeFileSync(join(folder, `${name}.js`), `weir.put(${JSON.stringify(name)},JSON.parse(${JSON.stringify(JSON.stringify(value))}));\n`);
}
