/** The map itself: a canvas that shows what is in sight, with a cursor for pointer and keyboard. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Scenarios } from "../data";
import { LOOKS, outcomeLabel } from "../outcomes";
import { useWidth } from "../parts/useSize";
import { traceHref } from "../routes";
import { go, setQuery } from "../router";
import { coloursOf, draw, type Colours, type Cursor } from "./draw";
import { NONE, type Grid, type Row } from "./grid";
import { columnAt, layoutOf, rowAt } from "./layout";

interface Props { track: string; grid: Grid; rows: readonly Row[]; scenarios: Scenarios; large: boolean; start: string | undefined }

const PAGE = 20;

export function MapCanvas({ track, grid, rows, scenarios, large, start }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const layout = useMemo(() => layoutOf(grid, rows, width, large), [grid, rows, width, large]);
  const [cursor, setCursor] = useState<Cursor | null>(() => fromText(start, grid, rows, scenarios));
  const [hover, setHover] = useState<(Cursor & { x: number; y: number }) | null>(null);
  const [theme, setTheme] = useState(0);
  const colours = useRef<Colours | null>(null);
  const shown = Math.min(layout.height + layout.head + 2, Math.max(320, Math.round(innerHeight * 0.72)));

  const paint = () => {
    if (!canvas.current || !box.current || !colours.current) return;
    draw(canvas.current, { width: Math.max(width, layout.width), height: shown }, box.current.scrollTop, grid, rows, scenarios, layout, colours.current, cursor);
  };
  useEffect(() => {
    const changed = () => setTheme((round) => round + 1);
    addEventListener("weir-theme", changed);
    return () => removeEventListener("weir-theme", changed);
  }, []);
  useLayoutEffect(() => {
    if (box.current) colours.current = coloursOf(box.current);
    paint();
  }, [theme]);
  useLayoutEffect(paint);
  useLayoutEffect(() => { if (cursor) move(cursor); }, []);
  // Rows may have gone that the cursor was on.
  useEffect(() => { if (cursor && !isScenario(rows[cursor.row])) setCursor(null); }, [rows]);
  // The address follows the cursor, but not with every key of a long way.
  useEffect(() => {
    const timer = setTimeout(() => cursor && setQuery({ cell: toText(cursor, grid, rows, scenarios) }), 250);
    return () => clearTimeout(timer);
  }, [cursor]);

  const find = (event: MouseEvent): (Cursor & { x: number; y: number }) | null => {
    const area = canvas.current?.getBoundingClientRect();
    if (!area || !box.current) return null;
    const [x, y] = [event.clientX - area.left, event.clientY - area.top];
    const column = columnAt(layout, grid.entries.length, grid.seeds.length, x);
    const row = rowAt(layout, y - layout.head + box.current.scrollTop);
    return column && y > layout.head && isScenario(rows[row]) ? { row, ...column, x, y } : null;
  };
  const open = (at: Cursor | null) => {
    const unit = at ? unitAt(at, grid, rows) : -1;
    const entry = at && grid.entries[at.entry];
    // The way back leads to the cell.
    if (at) setQuery({ cell: toText(at, grid, rows, scenarios) });
    if (entry && unit >= 0) go(traceHref(track, entry.id, unit));
  };
  const move = (to: Cursor) => {
    setCursor(to);
    const element = box.current;
    const y = layout.tops[to.row] ?? 0;
    if (!element) return;
    if (y < element.scrollTop + layout.group) element.scrollTop = Math.max(0, y - layout.group);
    const room = shown - layout.head - layout.row;
    if (y > element.scrollTop + room) element.scrollTop = y - room;
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") { open(cursor); event.preventDefault(); return; }
    const next = step(event.key, cursor ?? { row: 0, entry: 0, seed: -1 }, grid, rows);
    if (!next) return;
    event.preventDefault();
    move(cursor ? next : { ...next, entry: 0, seed: 0 });
  };
  const text = (at: Cursor | null) => (at ? words(at, grid, rows, scenarios) : "");

  return (
    <>
      <div class="map" ref={box} tabIndex={0} role="application" aria-label="Map of scenarios and entries" aria-describedby="map-cell"
        style={{ height: `${shown}px` }} onScroll={() => { setHover(null); paint(); }} onKeyDown={press}>
        <div style={{ height: `${layout.height + layout.head}px`, width: `${layout.width}px` }}>
          <canvas ref={canvas} style={{ width: `${Math.max(width, layout.width)}px`, height: `${shown}px` }} class={hover ? "over" : ""}
            onMouseMove={(event) => setHover(find(event))} onMouseLeave={() => setHover(null)} onClick={(event) => open(find(event))} />
        </div>
        {hover && <div class="tip" style={tipAt(hover, width, box.current?.scrollTop ?? 0)} aria-hidden="true">{text(hover)}</div>}
      </div>
      <p id="map-cell" class="cell" role="status">{cursor ? text(cursor) : "Arrow keys move from cell to cell, Enter or a click opens the trace."}</p>
    </>
  );
}

function tipAt(at: { x: number; y: number }, width: number, top: number): Record<string, string> {
  const wide = Math.min(300, width - 12);
  return { left: `${Math.max(4, Math.min(at.x + 14, width - wide - 4))}px`, top: `${at.y + top + 18}px`, width: `${wide}px` };
}

function isScenario(row: Row | undefined): row is { scenario: number } {
  return row !== undefined && "scenario" in row;
}

function unitAt(at: Cursor, grid: Grid, rows: readonly Row[]): number {
  const row = rows[at.row];
  return isScenario(row) ? grid.units[at.entry]?.[row.scenario * grid.seeds.length + at.seed] ?? -1 : -1;
}

function words(at: Cursor, grid: Grid, rows: readonly Row[], scenarios: Scenarios): string {
  const row = rows[at.row];
  if (!isScenario(row)) return "";
  const outcome = grid.outcomes[at.entry]?.[row.scenario * grid.seeds.length + at.seed] ?? NONE;
  const look = LOOKS[outcome];
  return `${scenarios.ids[row.scenario]}; ${grid.entries[at.entry]?.name}, seed ${grid.seeds[at.seed]}: ${look ? `${outcomeLabel(outcome)} (${look.letter}), ${look.what}` : "no such rollout"}.`;
}

/** The cell that a key leads to. Names of groups are passed over. */
function step(key: string, at: Cursor, grid: Grid, rows: readonly Row[]): Cursor | null {
  const seeds = grid.seeds.length;
  const last = grid.entries.length * seeds - 1;
  const column = at.entry * seeds + at.seed;
  const across = (to: number) => {
    const bounded = Math.max(0, Math.min(last, to));
    return { ...at, row: down(at.row, 0, rows), entry: Math.floor(bounded / seeds), seed: bounded % seeds };
  };
  switch (key) {
    case "ArrowLeft": return across(column - 1);
    case "ArrowRight": return across(column + 1);
    case "Home": return across(0);
    case "End": return across(last);
    case "ArrowUp": return { ...at, row: down(at.row, -1, rows) };
    case "ArrowDown": return { ...at, row: down(at.row, 1, rows) };
    case "PageUp": return { ...at, row: down(at.row, -PAGE, rows) };
    case "PageDown": return { ...at, row: down(at.row, PAGE, rows) };
    default: return null;
  }
}

function down(row: number, by: number, rows: readonly Row[]): number {
  let [to, at, left] = [row, row, Math.abs(by)];
  const way = by < 0 ? -1 : 1;
  if (!isScenario(rows[row])) left = Math.max(1, left);
  while (left > 0 && rows[at + way]) {
    at += way;
    if (!isScenario(rows[at])) continue;
    to = at;
    left -= 1;
  }
  return to;
}

function toText(at: Cursor, grid: Grid, rows: readonly Row[], scenarios: Scenarios): string {
  const row = rows[at.row];
  return isScenario(row) ? `${grid.entries[at.entry]?.id}:${grid.seeds[at.seed]}:${scenarios.ids[row.scenario]}` : "";
}

function fromText(text: string | undefined, grid: Grid, rows: readonly Row[], scenarios: Scenarios): Cursor | null {
  const [entry = "", seed = "", ...rest] = (text ?? "").split(":");
  const scenario = scenarios.ids.indexOf(rest.join(":"));
  const at = {
    entry: grid.entries.findIndex(({ id }) => id === entry),
    seed: grid.seeds.indexOf(Number(seed)),
    row: rows.findIndex((row) => isScenario(row) && row.scenario === scenario),
  };
  return at.entry < 0 || at.seed < 0 || at.row < 0 || scenario < 0 ? null : at;
}
