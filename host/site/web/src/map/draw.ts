/** Draws the part of the map that is in sight. */
import type { Scenarios } from "../data";
import { LOOKS } from "../outcomes";
import { NONE, type Grid, type Row } from "./grid";
import { leftOf, rowAt, type Layout } from "./layout";

export interface Colours { outcomes: string[]; letters: string[]; text: string; quiet: string; line: string; page: string; cursor: string }
export interface Cursor { row: number; entry: number; seed: number }

/** Colours of the style sheet as a canvas needs them: resolved, for the theme that is shown. */
export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement("span");
  element.append(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    outcomes: LOOKS.map(({ outcome }) => read(`--o-${outcome}`)),
    letters: LOOKS.map(({ outcome }) => read(`--ol-${outcome}`)),
    text: read("--text"), quiet: read("--quiet"), line: read("--line"), page: read("--page"), cursor: read("--text"),
  };
  probe.remove();
  return colours;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

export function draw(canvas: HTMLCanvasElement, size: { width: number; height: number }, top: number, grid: Grid, rows: readonly Row[], scenarios: Scenarios, layout: Layout, colours: Colours, cursor: Cursor | null): void {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = colours.page;
  context.fillRect(0, 0, size.width, size.height);
  const seeds = grid.seeds.length;
  const last = Math.min(rows.length - 1, rowAt(layout, top + size.height - layout.head));
  for (let index = rowAt(layout, top); index <= last; index++) {
    const row = rows[index];
    const y = (layout.tops[index] ?? 0) - top + layout.head;
    if (!row) continue;
    if ("group" in row) group(context, row, y, layout, size.width, colours);
    else scenario(context, grid, scenarios, row.scenario, y, layout, colours);
  }
  head(context, grid, layout, size.width, colours);
  const chosen = cursor && rows[cursor.row];
  if (cursor && chosen) {
    const y = (layout.tops[cursor.row] ?? 0) - top + layout.head;
    if (y >= layout.head - 1) {
      context.strokeStyle = colours.cursor;
      context.lineWidth = 2;
      context.strokeRect(leftOf(layout, seeds, cursor.entry, cursor.seed) - 1.5, y - 1.5, layout.cell + 2, layout.row + 2);
    }
  }
}

function group(context: CanvasRenderingContext2D, row: { group: string; many: number }, y: number, layout: Layout, width: number, colours: Colours): void {
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.fillStyle = colours.text;
  context.font = `600 12.5px ${FONT}`;
  context.fillText(row.group, 0, y + layout.group - 7);
  const end = context.measureText(row.group).width;
  context.fillStyle = colours.quiet;
  context.font = `12px ${FONT}`;
  context.fillText(String(row.many), end + 8, y + layout.group - 7);
  context.fillStyle = colours.line;
  context.fillRect(0, y + 5, width, 1);
}

function scenario(context: CanvasRenderingContext2D, grid: Grid, scenarios: Scenarios, index: number, y: number, layout: Layout, colours: Colours): void {
  const seeds = grid.seeds.length;
  // Gaps between cells only where cells are large enough to need them.
  const inset = layout.row > 10 ? 1 : 0.5;
  for (let entry = 0; entry < grid.entries.length; entry++) {
    const outcomes = grid.outcomes[entry];
    for (let seed = 0; seed < seeds; seed++) {
      const outcome = outcomes?.[index * seeds + seed] ?? NONE;
      if (outcome === NONE) continue;
      const x = leftOf(layout, seeds, entry, seed);
      context.fillStyle = colours.outcomes[outcome] ?? colours.quiet;
      context.fillRect(x, y, layout.cell - inset, layout.row - inset);
      if (layout.row > 10 && layout.cell > 8) {
        context.fillStyle = colours.letters[outcome] ?? colours.text;
        context.font = `600 10px ${FONT}`;
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(LOOKS[outcome]?.letter ?? "", x + (layout.cell - inset) / 2, y + layout.row / 2);
      }
    }
  }
  if (layout.row > 10 && layout.gutter > 100) {
    context.fillStyle = colours.quiet;
    context.font = `11.5px ${FONT}`;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(cut(context, scenarios.ids[index] ?? "", layout.gutter - 12), layout.gutter - 8, y + layout.row / 2);
  }
}

/** Names of the entries, over whatever has scrolled beneath them. */
function head(context: CanvasRenderingContext2D, grid: Grid, layout: Layout, width: number, colours: Colours): void {
  context.fillStyle = colours.page;
  context.fillRect(0, 0, width, layout.head - 2);
  context.fillStyle = colours.text;
  context.font = `12px ${FONT}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  const seeds = grid.seeds.length;
  grid.entries.forEach((entry, index) => {
    const x = leftOf(layout, seeds, index, 0) + (seeds * layout.cell) / 2;
    context.save();
    context.translate(x, layout.head - 10);
    context.rotate(-Math.PI / 4);
    // As long as the head is high, and the picture wide.
    context.fillText(cut(context, entry.name, Math.min(112, (width - x - 4) * Math.SQRT2)), 0, 0);
    context.restore();
  });
}

function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let short = text.slice(0, 80);
  while (short.length > 1 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short}…`;
}
