/**
 * Where the events of a trace stand in its graph: lanes side by side, and a row for each step from top to bottom, so that a long
 * trace scrolls as text does. A row has one event alone. Edges run along the row of the earlier event, down between two lanes, and
 * along the row of the later one: no edge crosses an event.
 */
import type { Edge, Event, Trace } from "./trace";
import { agentName, own } from "./words";

export interface Lane { key: string; name: string; about: string }

/** Sizes in pixels of the drawing. */
export interface Sizes { lane: number; row: number; wide: number; high: number; left: number; top: number }

/** Below this width of the panel, shapes have room for a number alone. */
const NARROW = 520;

/** Sizes that fill a panel, as far as names stay readable: beyond that it scrolls. */
export function sizesFor(width: number, lanes: number): Sizes {
  if (width < NARROW) return { lane: Math.max(42, Math.min(64, Math.floor((width - 8) / lanes))), row: 38, wide: 27, high: 22, left: 2, top: 30 };
  const lane = Math.max(80, Math.min(140, Math.floor((width - 40) / lanes)));
  return { lane, row: 42, wide: Math.min(lane - 20, 112), high: 26, left: 34, top: 30 };
}

export interface Layout {
  lanes: Lane[];
  /** The lane of each event. */
  at: number[];
  sizes: Sizes;
  width: number;
  height: number;
}

const KINDS: Record<string, Omit<Lane, "key">> = {
  source: { name: "Sources", about: "what entered the rollout" },
  message: { name: "Messages", about: "from agent to agent or to the user" },
  "memory-record": { name: "Memory", about: "entries written or recalled" },
  tools: { name: "Tools", about: "calls proposed, and their results" },
  decision: { name: "Decisions", about: "the policy's answers" },
  effects: { name: "Effects", about: "side effects and repairs" },
};
const ORDER = ["source", "agent", "message", "memory-record", "tools", "decision", "effects"];

/** Lanes that have an event, in the order in which content goes through them; each agent has its own. */
export function layout(trace: Trace, panel: number): Layout {
  const keys = trace.events.map(laneOf);
  const rank = (key: string) => {
    const [group = "", agent = "0"] = key.split(" ");
    const place = ORDER.indexOf(group);
    return (place < 0 ? ORDER.length : place) * 1e6 + Number(agent);
  };
  const used = [...new Set(keys)].sort((a, b) => rank(a) - rank(b));
  const lanes = used.map((key): Lane => {
    if (key.startsWith("agent ")) return { key, name: agentName(trace, Number(key.slice(6))), about: "states of the agent: what its model wrote" };
    return { key, ...(own(KINDS, key) ?? { name: key, about: "a kind that is newer than this page" }) };
  });
  const sizes = sizesFor(panel, lanes.length);
  return {
    lanes,
    at: keys.map((key) => used.indexOf(key)),
    sizes,
    width: sizes.left + lanes.length * sizes.lane + 6,
    height: sizes.top + trace.events.length * sizes.row + 8,
  };
}

function laneOf(event: Event): string {
  switch (event.kind) {
    case "agent-state": return `agent ${event.agent}`;
    case "proposal": case "tool-result": return "tools";
    case "commit": case "recovery": return "effects";
    default: return event.kind;
  }
}

/** The middle of an event's shape. */
export function centre({ at, sizes }: Layout, id: number): [x: number, y: number] {
  return [sizes.left + ((at[id] ?? 0) + 0.5) * sizes.lane, sizes.top + (id + 0.5) * sizes.row];
}

/** Pixels from the row's middle at which a kind of edge leaves and arrives. */
const SHIFTS: Record<string, number> = { "data-flow": 0, structural: 5, audit: -5 };

/** An edge as a path, and the triangle at its end. */
export function route(layout: Layout, edge: Edge, child: number): { line: string; tip: string } {
  const { sizes, at } = layout;
  const [from, to] = [at[edge.parent] ?? 0, at[child] ?? 0];
  const [x1, y1] = centre(layout, edge.parent);
  const [x2, y2] = centre(layout, child);
  const half = sizes.wide / 2;
  const between = at.slice(edge.parent + 1, child);
  if (from === to && !between.includes(from)) {
    const end = y2 - sizes.high / 2 - 1;
    return { line: `M${x1} ${y1 + sizes.high / 2}V${end - 5}`, tip: triangle(x2, end, 0, 1) };
  }
  // Kinds arrive side by side, and lines that go down between the same lanes keep apart.
  const shift = own(SHIFTS, edge.kind) ?? 8;
  const gap = (sizes.lane - sizes.wide) / 2;
  const track = 2 + ((edge.parent % 4) + 0.5) * ((2 * gap - 8) / 4) - gap;
  const right = to > from;
  const x = right ? x2 - sizes.lane / 2 + track : x2 + sizes.lane / 2 + track;
  const start = x1 + (right || from === to ? half : -half);
  const [a, b] = [y1 + shift * 0.6, y2 + shift * 0.6];
  const end = x2 + (right ? -half - 1 : half + 1);
  const inward = right ? 1 : -1;
  const r = Math.min(5, Math.abs(x - start), Math.abs(end - x), (b - a) / 2);
  const out = Math.sign(x - start) || 1;
  return {
    line: `M${start} ${a}H${x - out * r}Q${x} ${a} ${x} ${a + r}V${b - r}Q${x} ${b} ${x + inward * r} ${b}H${end - inward * 4}`,
    tip: triangle(end, b, inward, 0),
  };
}

/** A triangle that points in a direction, its tip at a place. */
function triangle(x: number, y: number, dx: number, dy: number): string {
  const [bx, by] = [x - dx * 7, y - dy * 7];
  return `M${x} ${y}L${bx - dy * 3.5} ${by + dx * 3.5}L${bx + dy * 3.5} ${by - dx * 3.5}Z`;
}

/** The outline of an event's shape around its middle: content is a rounded box, a state a pill, a proposal a hexagon, a decision
 * a diamond, a commit or repair a box with a double frame. */
export function outline(kind: string, [x, y]: [number, number], sizes: Sizes): string {
  const [w, h] = [sizes.wide / 2, sizes.high / 2];
  const box = (w: number, h: number, r: number) =>
    `M${x - w + r} ${y - h}H${x + w - r}Q${x + w} ${y - h} ${x + w} ${y - h + r}V${y + h - r}Q${x + w} ${y + h} ${x + w - r} ${y + h}H${x - w + r}Q${x - w} ${y + h} ${x - w} ${y + h - r}V${y - h + r}Q${x - w} ${y - h} ${x - w + r} ${y - h}Z`;
  switch (kind) {
    case "agent-state": case "message":
      return `M${x - w + h} ${y - h}H${x + w - h}A${h} ${h} 0 0 1 ${x + w - h} ${y + h}H${x - w + h}A${h} ${h} 0 0 1 ${x - w + h} ${y - h}Z`;
    case "proposal": {
      const c = h * 0.7;
      return `M${x - w} ${y}L${x - w + c} ${y - h}H${x + w - c}L${x + w} ${y}L${x + w - c} ${y + h}H${x - w + c}Z`;
    }
    case "decision": return `M${x} ${y - h * 1.35}L${x + w} ${y}L${x} ${y + h * 1.35}L${x - w} ${y}Z`;
    case "commit": case "recovery": return `${box(w, h, 0)}${box(w - 3, h - 3, 0)}`;
    default: return box(w, h, 4);
  }
}
