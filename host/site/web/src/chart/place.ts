/** Where labels go so that they do not cover each other; the same rules as in the figures of Weir's reports. */

export interface Area { left: number; top: number; right: number; bottom: number }
export interface Labelled { x: number; y: number; width: number; height: number }

const REACHES = [11, 20, 32, 46, 62, 80, 100, 124, 150];
const WAYS: readonly [number, number][] = [
  [1, 0], [0.9, -0.5], [0.9, 0.5], [0.5, -0.9], [0.5, 0.9], [-1, 0], [0, -1], [0, 1], [-0.9, -0.5], [-0.9, 0.5], [-0.5, -0.9], [-0.5, 0.9],
];

/** An area around a point. */
export function around(x: number, y: number, w: number, h: number): Area {
  return { left: x - w, top: y - h, right: x + w, bottom: y + h };
}

function overlap(a: Area, b: Area): number {
  const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}

function outside(area: Area, frame: Area): number {
  return (area.right - area.left) * (area.bottom - area.top) - overlap(area, frame);
}

/**
 * Places a label of a size near each point, and returns its area. `taken` is what no label should cover, `soft` what it may cover
 * if it must (intervals). Points are served in order; of the places around a point the one with the least harm wins, and of
 * equal ones the nearest.
 */
export function placeLabels(points: readonly Labelled[], frame: Area, taken: readonly Area[], soft: readonly Area[]): Area[] {
  const placed: Area[] = [];
  for (const point of points) {
    let best: Area | null = null;
    let least = Infinity;
    for (const reach of REACHES) {
      for (const [dx, dy] of WAYS) {
        // The label's near edge is at the reach, not its middle.
        const x = point.x + dx * reach + (dx * point.width) / 2;
        const y = point.y + dy * reach + (dy * point.height) / 2;
        const area = around(x, y, point.width / 2, point.height / 2);
        let hard = 0;
        for (const other of placed) hard += overlap(area, other);
        for (const other of taken) hard += overlap(area, other);
        let mild = 0;
        for (const other of soft) mild += overlap(area, other);
        const cost = hard * 50 + outside(area, frame) * 50 + mild * 0.6 + reach;
        if (cost < least) {
          least = cost;
          best = area;
        }
      }
    }
    placed.push(best ?? around(point.x, point.y, point.width / 2, point.height / 2));
  }
  return placed;
}

/** A name that fits beside a mark. */
export function shorten(text: string, most = 28): string {
  const letters = [...text.slice(0, most * 4)];
  return letters.length <= most && text.length <= most * 4 ? text : `${letters.slice(0, most - 1).join("")}…`;
}

let context: CanvasRenderingContext2D | null | undefined;

/** The width of a text in the page's font, in pixels. */
export function textWidth(text: string, font: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * 7;
  context.font = font;
  return context.measureText(text).width;
}
