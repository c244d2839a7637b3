// Traces by hand: frames of lines, and what a site's file of a trace holds. A frame's blocks are stored, so that no compressor is
// needed; any zstd reader reads them.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** Resolves the front-end's packages. */
export const web = fileURLToPath(new URL("../../host/site/web/", import.meta.url));
export const packages = createRequire(`${web}package.json`);
const { decompress } = packages("fzstd");

const LARGEST_BLOCK = 128 * 1024;

/** Bytes as one zstd frame (RFC 8878): content size in four bytes, then stored blocks. */
export function stored(bytes) {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  head.writeUInt8(0xa0, 4);
  head.writeUInt32LE(bytes.length, 5);
  const out = [head];
  for (let at = 0; at === 0 || at < bytes.length; at += LARGEST_BLOCK) {
    const block = bytes.subarray(at, at + LARGEST_BLOCK);
    const last = at + LARGEST_BLOCK >= bytes.length;
    const size = Buffer.alloc(3);
    size.writeUIntLE((block.length << 3) | Number(last), 0, 3);
    out.push(size, block);
  }
  return Buffer.concat(out);
}

/** A trace's lines, of values or of texts, with a digest that holds unless one is given. */
export function frame(lines, { sha256, events = lines.length - 1 } = {}) {
  const body = Buffer.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  const hash = sha256 ?? createHash("sha256").update(body).digest("hex");
  return stored(Buffer.concat([body, Buffer.from(`{"events":${events},"sha256":"${hash}"}\n`)]));
}

/** The lines of a trace as a site holds it, in base64, without the last. */
export function linesOf(base64) {
  return Buffer.from(decompress(Buffer.from(base64, "base64"))).toString("utf8").trimEnd().split("\n").slice(0, -1);
}

/** A header with all that a trace must have. */
export function header(more = {}) {
  return {
    unit: "ab".repeat(32), origin: { kind: "live", scenario_digest: "", model: "sim:test", simulated: true, seed: 1 },
    scenario: "security/mail/1/0", stage: "security", family: "mail", topology: "single", memory_mode: "session",
    domain: { name: "email", digest: "cd".repeat(32) }, policy: { name: "none", digest: "ef".repeat(32) }, goal: "Summarise the mail",
    agents: ["assistant"], toolset: "tools", ledgers: [{ form: "oracle", entries: [] }], label_names: [], taint_vocabulary: 1,
    canaries: [], verdict: { goal_met: true, tainted_dependency: null, recovered: null, reinfected: null }, ...more,
  };
}

/** An event; without a body it is a source's text. */
export function event(id, more = {}) {
  return { id, kind: "source", agent: 0, labels: 0, facts: 0, edges: [], text: `text ${id}`, body: { type: "text", origin: "user" }, ...more };
}

/** Tools for traces by hand. */
export const TOOLSETS = {
  tools: [{
    name: "send_mail", description: "Send a mail.", effect: "side-effect",
    parameters: [
      { name: "to", role: "recipient", required: true, schema: '{"type":"string"}' },
      { name: "body", role: "content", required: true, schema: '{"type":"string"}' },
    ],
  }],
};

/** A proposal to send a mail, and the decision on it. */
export function proposal(id, to, more = {}) {
  return event(id, {
    kind: "proposal", tool: 0, call: 0, edges: [[id - 1, "data-flow"]], text: JSON.stringify({ to, body: "hi" }),
    body: { type: "proposal", arguments: [{ parameter: 0, value: JSON.stringify(to), labels: 0, sources: [] }, { parameter: 1, value: '"hi"', labels: 0, sources: [] }] },
    ...more,
  });
}
export function decision(id, verdict, more = {}) {
  const { rule = null, message = "", fuel = 100 } = more;
  return event(id, {
    kind: "decision", tool: 0, call: 0, edges: [[id - 1, "audit"]], text: message,
    body: { type: "decision", hook: "authorize", verdict, rule, message, fuel },
  });
}

/** Modules of the trace viewer, bundled for node. */
export async function modules(...names) {
  const { build } = packages("esbuild");
  const result = await build({
    stdin: { contents: names.map((name) => `export * from "./${name}";`).join("\n"), resolveDir: `${web}src/trace`, loader: "ts" },
    bundle: true, format: "esm", platform: "neutral", mainFields: ["module", "main"], write: false, logLevel: "silent",
  });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString("base64")}`);
}
