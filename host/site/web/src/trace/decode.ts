/** From a trace's file of the site to a trace: base64, one zstd frame, lines. Whatever is wrong is an error that names the line. */
import { decompress } from "fzstd";
import type { Argument, Body, Event, Header, Tool, Trace } from "./trace";

type Raw = Record<string, unknown>;

/** Bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/**
 * Reads a trace from its frame. The digest is not checked here: see {@link checkDigest}.
 *
 * @throws {Error} where the frame is no zstd or a line is not what it should be.
 */
export function decode(frame: Uint8Array, toolsets: Record<string, unknown>): Trace {
  const text = new Uint8Array(decompress(frame));
  const newline = 10;
  if (text.at(-1) !== newline) throw new Error("the trace's frame ends too early");
  const last = text.lastIndexOf(newline, text.length - 2);
  const body = text.slice(0, last + 1);
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const lines = utf8.decode(body).split("\n").slice(0, -1);
  const first = lines[0];
  if (first === undefined) throw new Error("the trace's frame ends too early");
  const footer = parse(utf8.decode(text.subarray(last + 1)), lines.length + 1);
  const header = readHeader(parse(first, 1));
  const events = lines.slice(1).map((line, id) => readEvent(line, id));
  if (footer.events !== events.length) {
    throw new Error(`the trace's last line counts ${String(footer.events)} events, and ${events.length} stand before it`);
  }
  const tools = (Object.hasOwn(toolsets, header.toolset) ? toolsets[header.toolset] : []) as Tool[];
  return { header, line: first, tools, events, sha256: String(footer.sha256), body };
}

/** Whether a trace's digest holds, or why nobody knows. */
export type DigestState =
  | { state: "holds"; sha256: string }
  | { state: "altered"; actual: string; recorded: string }
  | { state: "unchecked"; why: string };

/**
 * Takes the digest of a trace's lines again and holds it against what its last line and its entry's table of units say.
 * `listed` is the beginning of the digest in that table.
 */
export async function checkDigest(trace: Trace, listed: string | undefined): Promise<DigestState> {
  // Browsers have no digests on a page that came over a network without encryption.
  if (!globalThis.crypto?.subtle) return { state: "unchecked", why: "this browser takes digests only on a secure page" };
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", trace.body));
  const actual = Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (actual !== trace.sha256) return { state: "altered", actual, recorded: trace.sha256 };
  if (listed !== undefined && !actual.startsWith(listed)) return { state: "altered", actual, recorded: `${listed}…` };
  return { state: "holds", sha256: actual };
}

function parse(line: string, number: number): Raw {
  // Labels have 64 bits, of which a number keeps 53, so that long ones are read as texts. Within a text no quotation mark stands
  // without a backslash, so that this finds keys alone.
  const exact = line.replace(/("(?:labels|taint_vocabulary)":)(\d{16,})/g, '$1"$2"');
  try {
    const value: unknown = JSON.parse(exact);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Raw;
  } catch (error) {
    throw new Error(`line ${number} of the trace is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error(`line ${number} of the trace is no object`);
}

function readHeader(raw: Raw): Header {
  for (const key of ["unit", "scenario", "stage", "goal", "toolset"]) {
    if (typeof raw[key] !== "string") throw new Error(`line 1 of the trace has no text "${key}"`);
  }
  return { ...(raw as unknown as Header), taint_vocabulary: labels(raw.taint_vocabulary), canaries: (raw.canaries ?? []) as string[] };
}

function readEvent(line: string, id: number): Event {
  const number = id + 2;
  const raw = parse(line, number);
  if (raw.id !== id) throw new Error(`line ${number} of the trace has event ${String(raw.id)}, and ${id} should stand there`);
  const edges = ((raw.edges ?? []) as [number, string][]).map(([parent, kind]) => ({ parent, kind }));
  const late = edges.find((edge) => !(edge.parent >= 0 && edge.parent < id));
  if (late) throw new Error(`event ${id} has an edge from event ${late.parent}, which is not earlier`);
  return {
    id,
    kind: String(raw.kind),
    agent: Number(raw.agent ?? 0),
    tool: (raw.tool ?? null) as number | null,
    call: (raw.call ?? null) as number | null,
    labels: labels(raw.labels),
    facts: Number(raw.facts ?? 0),
    edges,
    text: String(raw.text ?? ""),
    body: readBody((raw.body ?? {}) as Raw),
    line,
  };
}

const BODIES = new Set(["text", "message", "repair", "proposal", "decision", "tool-result", "commit"]);

function readBody(raw: Raw): Body {
  const type = String(raw.type);
  if (type === "proposal") {
    const list = (raw.arguments ?? []) as (Omit<Argument, "labels"> & { labels: unknown })[];
    return { type, arguments: list.map((argument) => ({ ...argument, labels: labels(argument.labels) })) };
  }
  return BODIES.has(type) ? (raw as unknown as Body) : { type: "unknown", name: type };
}

function labels(raw: unknown): bigint {
  return typeof raw === "number" || typeof raw === "string" ? BigInt(raw) : 0n;
}
