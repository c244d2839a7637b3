/** Points on two axes with two-dimensional intervals, the Pareto line, and names that do not cover each other. */
import { useMemo, useRef, useState } from "preact/hooks";
import { scaleOver, ticksOf, type Scale } from "./axes";
import { Key, Mark } from "./Mark";
import { Point } from "./Point";
import type { Slot } from "./marks";
import { around, placeLabels, shorten, textWidth, type Area } from "./place";
import type { Reading } from "./reading";
import { useWidth } from "../parts/useSize";

export interface Dot {
  id: string;
  name: string;
  slot: Slot;
  x: Reading;
  y: Reading;
  /** Another is at least as good on both axes and better on one. */
  dominated: boolean;
  /** Where a click leads. */
  href?: string;
}

export interface ScatterProps {
  dots: readonly Dot[];
  x: string;
  y: string;
  /** Draw the Pareto line through the points that nothing dominates. */
  pareto?: boolean;
  /** Both scales from 0 to 1. */
  whole?: boolean;
  /** What the figure shows, for a screen reader. */
  label: string;
}

const FONT = "12.5px system-ui, sans-serif";
/** Before a label: its mark, since marks in one place cover each other. */
const KEY = 16;
const NEAR = 9;

export function Scatter({ dots, x, y, pareto = false, whole = false, label }: ScatterProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, point] = useState<string | null>(null);
  const height = Math.round(Math.min(480, Math.max(340, width * 0.52)));
  const frame: Area = { left: 46, top: 30, right: Math.max(160, width - 14), bottom: height - 46 };
  const xs = useMemo(() => scaleOver(dots.flatMap((dot) => [dot.x.low, dot.x.high]), [frame.left + 12, frame.right - 12], whole), [dots, width, whole]);
  const ys = useMemo(() => scaleOver(dots.flatMap((dot) => [dot.y.low, dot.y.high]), [frame.bottom - 12, frame.top + 12], whole), [dots, height, whole]);
  const places = useMemo(() => place(dots, xs, ys, frame, pareto), [dots, xs, ys, pareto]);
  const active = dots.find((dot) => dot.id === at);
  const here = active ? dots.filter((dot) => Math.hypot(xs(dot.x.value) - xs(active.x.value), ys(dot.y.value) - ys(active.y.value)) < NEAR) : [];

  return (
    <div class="plot" ref={box} onMouseLeave={() => point(null)} onKeyDown={(event) => { if (event.key === "Escape") point(null); }}>
      <svg class="figure" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        <g aria-hidden="true">
          {ticksOf(xs, Math.max(3, Math.min(8, width / 90))).map(({ value, label: text }) => (
            <g key={value}>
              <line class="grid" x1={xs(value)} x2={xs(value)} y1={frame.top} y2={frame.bottom} />
              <text class="dim mid" x={xs(value)} y={frame.bottom + 17}>{text}</text>
            </g>
          ))}
          {ticksOf(ys, 6).map(({ value, label: text }) => (
            <g key={value}>
              <line class="grid" x1={frame.left} x2={frame.right} y1={ys(value)} y2={ys(value)} />
              <text class="dim end" x={frame.left - 7} y={ys(value) + 4}>{text}</text>
            </g>
          ))}
          <path class="axis" d={`M${frame.left},${frame.top}V${frame.bottom}H${frame.right}`} />
          <text class="dim" x={4} y={16}>↑ {y}</text>
          <text class="dim end" x={frame.right} y={frame.bottom + 38}>{x} →</text>
          {pareto && <path class="pareto" d={line(corners(dots), xs, ys, frame)} />}
        </g>
        <g class="under-labels" aria-hidden="true">
          {dots.map((dot, index) => <Whiskers key={dot.id} dot={dot} xs={xs} ys={ys} label={places[index]} active={at === dot.id} />)}
        </g>
        {dots.map((dot, index) => {
          const label = places[index];
          const name = shorten(dot.name);
          const words = `${name}. ${name === dot.name ? "" : `${dot.name}. `}${x}: ${dot.x.text}. ${y}: ${dot.y.text}.`;
          return (
            <Point key={dot.id} href={dot.href} label={words} look={`${dot.dominated ? "dominated" : ""} ${at === dot.id ? "active" : ""}`} point={(on) => point(on ? dot.id : null)}>
              <circle class="target" cx={xs(dot.x.value)} cy={ys(dot.y.value)} r={12} />
              {label && <Label dot={dot} area={label} />}
            </Point>
          );
        })}
        <g class="marks" aria-hidden="true">
          {[...dots].sort((a, b) => Number(a.id === at) - Number(b.id === at)).map((dot) => (
            <g key={dot.id} class={dot.dominated ? "dominated" : ""}><Mark slot={dot.slot} x={xs(dot.x.value)} y={ys(dot.y.value)} r={at === dot.id ? 8 : 6.5} /></g>
          ))}
        </g>
      </svg>
      {active && <Tip dots={here} x={x} y={y} left={xs(active.x.value)} top={ys(active.y.value)} width={width} />}
    </div>
  );
}

/** Intervals, and the line from a point to its name where that is far: both lie under all names. */
function Whiskers({ dot, xs, ys, label, active }: { dot: Dot; xs: Scale; ys: Scale; label: Area | undefined; active: boolean }) {
  const [cx, cy] = [xs(dot.x.value), ys(dot.y.value)];
  const whisker = (reading: Reading, scale: Scale, draw: (from: number, to: number) => string) =>
    reading.high > reading.low ? <path class={`span ${dot.slot.colour} ${reading.bound ? "bound" : ""}`} d={draw(scale(reading.low), scale(reading.high))} /> : null;
  const near: [number, number] = label ? [Math.min(Math.max(cx, label.left - 1), label.right), Math.min(Math.max(cy, label.top + 3), label.bottom - 3)] : [cx, cy];
  return (
    <g class={`${dot.dominated ? "dominated" : ""} ${active ? "active" : ""}`}>
      {whisker(dot.x, xs, (a, b) => `M${a},${cy - 3}V${cy + 3}M${a},${cy}H${b}M${b},${cy - 3}V${cy + 3}`)}
      {whisker(dot.y, ys, (a, b) => `M${cx - 3},${a}H${cx + 3}M${cx},${a}V${b}M${cx - 3},${b}H${cx + 3}`)}
      {Math.hypot(near[0] - cx, near[1] - cy) > 14 && <line class="leader" x1={cx} y1={cy} x2={near[0]} y2={near[1]} />}
    </g>
  );
}

function Label({ dot, area }: { dot: Dot; area: Area }) {
  return (
    <>
      <Mark slot={dot.slot} x={area.left + 6} y={(area.top + area.bottom) / 2} r={4.5} />
      <text class="halo" x={area.left + KEY} y={area.bottom - 3.5}>{shorten(dot.name)}</text>
    </>
  );
}

/** What stands at a point; more than one, where points share a place. */
function Tip({ dots, x, y, left, top, width }: { dots: readonly Dot[]; x: string; y: string; left: number; top: number; width: number }) {
  const wide = Math.min(340, width - 16);
  const from = Math.max(8, Math.min(width - wide - 8, left - wide / 2));
  return (
    <div class="tip" style={{ left: `${from}px`, top: `${top + 18}px`, width: `${wide}px` }} aria-hidden="true">
      {dots.map((dot) => (
        <dl key={dot.id}>
          <dt><Key slot={dot.slot} /> {dot.name}</dt>
          <dd><span>{x}</span> {dot.x.text}{dot.x.bound && ", exact one-sided bound"}</dd>
          <dd><span>{y}</span> {dot.y.text}{dot.y.bound && ", exact one-sided bound"}</dd>
        </dl>
      ))}
    </div>
  );
}

function place(dots: readonly Dot[], xs: Scale, ys: Scale, frame: Area, pareto: boolean): Area[] {
  const points = dots.map((dot) => ({ x: xs(dot.x.value), y: ys(dot.y.value), width: KEY + textWidth(shorten(dot.name), FONT) + 2, height: 16 }));
  const taken = points.map(({ x, y }) => around(x, y, 9, 9));
  const soft = dots.flatMap((dot, index) => {
    const { x, y } = points[index] ?? { x: 0, y: 0 };
    return [
      { left: xs(dot.x.low), top: y - 3, right: xs(dot.x.high), bottom: y + 3 },
      { left: x - 3, top: ys(dot.y.high), right: x + 3, bottom: ys(dot.y.low) },
    ];
  });
  // The line's steps: each across to a point, and down from it to the next.
  const front = pareto ? corners(dots) : [];
  front.forEach((dot, index) => {
    const [x, y] = [xs(dot.x.value), ys(dot.y.value)];
    const [from, below] = [front[index - 1], front[index + 1]];
    soft.push({ left: from ? xs(from.x.value) : frame.left, top: y - 2, right: x, bottom: y + 2 });
    soft.push({ left: x - 3, top: y, right: x + 3, bottom: below ? ys(below.y.value) : frame.bottom });
  });
  return placeLabels(points, { ...frame, left: frame.left + 2 }, taken, soft);
}

/** What no point is better than: steps through the points from the left edge to the lower one. */
function line(front: readonly Dot[], xs: Scale, ys: Scale, frame: Area): string {
  const [first] = front;
  if (!first) return "";
  const steps = front.map((dot) => `V${ys(dot.y.value)}H${xs(dot.x.value)}`);
  return `M${frame.left},${ys(first.y.value)}${steps.join("")}V${frame.bottom}`;
}

/** The points that nothing dominates, from left to right. */
function corners(dots: readonly Dot[]): Dot[] {
  return dots.filter((dot) => !dot.dominated).sort((a, b) => a.x.value - b.x.value || b.y.value - a.y.value);
}
