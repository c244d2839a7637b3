/** One axis alone, a row for each entry: what a scatter shows in one place separates here. */
import { useRef } from "preact/hooks";
import { scaleOver, ticksOf } from "./axes";
import { Mark } from "./Mark";
import { Point } from "./Point";
import type { Dot } from "./Scatter";
import { textWidth } from "./place";
import { useWidth } from "../parts/useSize";
import { rate } from "../format";

const ROW = 30;
const FONT = "13px system-ui, sans-serif";

export function Strip({ dots, x, label }: { dots: readonly Dot[]; x: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const sorted = [...dots].sort((a, b) => b.x.value - a.x.value || a.name.localeCompare(b.name, "en"));
  const names = Math.min(width * 0.42, Math.max(60, ...sorted.map((dot) => textWidth(dot.name, FONT))) + 30);
  const height = sorted.length * ROW + 48;
  const bottom = sorted.length * ROW + 4;
  const scale = scaleOver(sorted.flatMap((dot) => [dot.x.low, dot.x.high]), [names + 14, width - 62], false);
  return (
    <div class="plot" ref={box}>
      <svg class="figure" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        <g aria-hidden="true">
          {ticksOf(scale, Math.max(3, width / 110)).map(({ value, label: text }) => (
            <g key={value}>
              <line class="grid" x1={scale(value)} x2={scale(value)} y1={4} y2={bottom} />
              <text class="dim mid" x={scale(value)} y={bottom + 17}>{text}</text>
            </g>
          ))}
          <text class="dim end" x={width - 62} y={bottom + 37}>{x} →</text>
        </g>
        {sorted.map((dot, index) => {
          const middle = index * ROW + ROW / 2 + 2;
          const [low, high] = [scale(dot.x.low), scale(dot.x.high)];
          return (
            <Point key={dot.id} href={dot.href} label={`${fit(dot.name, names - 26)} ${rate(dot.x.value)}. ${x}: ${dot.x.text}.`}>
              <rect class="target" x={0} y={middle - ROW / 2} width={width} height={ROW} />
              <Mark slot={dot.slot} x={10} y={middle} r={4.5} />
              <text x={22} y={middle + 4.5}>{fit(dot.name, names - 26)}</text>{" "}
              {high > low && <path class={`span ${dot.slot.colour} ${dot.x.bound ? "bound" : ""}`} d={`M${low},${middle - 4}V${middle + 4}M${low},${middle}H${high}M${high},${middle - 4}V${middle + 4}`} />}
              <Mark slot={dot.slot} x={scale(dot.x.value)} y={middle} r={6} />
              <text class="end value" x={width - 4} y={middle + 4.5}>{rate(dot.x.value)}</text>
            </Point>
          );
        })}
      </svg>
    </div>
  );
}

/** A name cut to a width. */
export function fit(text: string, width: number): string {
  if (textWidth(text, FONT) <= width) return text;
  let short = text.slice(0, 120);
  while (short.length > 1 && textWidth(`${short}…`, FONT) > width) short = short.slice(0, -1);
  return `${short}…`;
}
