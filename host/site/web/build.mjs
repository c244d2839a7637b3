// Bundles the site's front-end: `node build.mjs [FOLDER]` writes app.js, one classic script, so that it runs from disk too,
// app.css and index.html. The same sources give the same bytes.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = process.argv[2] ?? `${here}dist`;
mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx" },
  outdir: out,
  bundle: true,
  format: "iife",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  charset: "utf8",
  legalComments: "eof",
  logLevel: "warning",
});
copyFileSync(`${here}index.html`, `${out}/index.html`);
