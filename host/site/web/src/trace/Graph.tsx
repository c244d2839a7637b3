/** The taint graph of a trace, with a step slider that shows how it grew. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Legend, Line } from "./Edges";
import { layout as place } from "./layout";
import { select } from "./Marks";
import { Node } from "./Node";
import type { Edge, Trace } from "./trace";
import { useBox } from "./useBox";
import { oneLine, shorten } from "./visible";
import { sentence, tainted } from "./words";

/** Rows above and below the window. */
const SPARE = 12;
const ZOOMS = [0.5, 0.7, 0.85, 1, 1.25, 1.6];

export function Graph({ trace, event }: { trace: Trace; event: number | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useBox(box);
  const [zoom, setZoom] = useState(1);
  const [top, setTop] = useState(0);
  const layout = useMemo(() => place(trace, width), [trace, width]);
  const last = trace.events.length - 1;
  const step = event ?? last;
  const { row } = layout.sizes;

  useEffect(() => {
    const element = box.current;
    if (!element || event === null) return;
    const [at, head] = [(layout.sizes.top + event * row) * zoom, layout.sizes.top * zoom];
    if (at - head < element.scrollTop) element.scrollTop = Math.max(0, at - head - 2 * row * zoom);
    else if (at + 2 * row * zoom > element.scrollTop + element.clientHeight) element.scrollTop = at + 3 * row * zoom - element.clientHeight;
    // The graph may be wider than its panel.
    const x = (layout.sizes.left + (layout.at[event] ?? 0) * layout.sizes.lane) * zoom;
    if (x < element.scrollLeft || x + layout.sizes.lane * zoom > element.scrollLeft + element.clientWidth) {
      element.scrollLeft = x + (layout.sizes.lane * zoom - element.clientWidth) / 2;
    }
  }, [event, layout, zoom, height]);
  // The keyboard stays in the graph when it moves the selection.
  useLayoutEffect(() => {
    if (event !== null && box.current?.contains(document.activeElement)) box.current.querySelector<SVGAElement>(`[data-event="${event}"]`)?.focus({ preventScroll: true });
  }, [event]);

  // Only what is in sight is drawn, and what is selected.
  const first = Math.max(0, Math.floor(top / zoom / row) - SPARE);
  const end = Math.min(last, Math.ceil((top + height) / zoom / row) + SPARE);
  const rows = trace.events.slice(first, end + 1);
  if (event !== null && (event < first || event > end)) rows.push(...trace.events.slice(event, event + 1));
  const entry = event ?? 0;
  const edges = useMemo(() => trace.events.flatMap(({ id, edges }) => edges.map((edge) => ({ child: id, edge }))), [trace]);
  const drawn = edges.filter(({ child, edge }) => child >= first && edge.parent <= end);
  const own = ({ child, edge }: { child: number; edge: Edge }) => event !== null && (child === event || edge.parent === event);
  const sorted = event === null ? drawn : [...drawn.filter((one) => !own(one)), ...drawn.filter(own)];

  const press = (key: KeyboardEvent) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    const current = trace.events[entry];
    const next = key.key === "ArrowLeft" ? current?.edges[0]?.parent
      : key.key === "ArrowRight" ? edges.find(({ edge }) => edge.parent === entry)?.child : undefined;
    if (next === undefined) return;
    key.preventDefault();
    select(next);
  };

  return (
    <>
      <Steps trace={trace} event={event} />
      <div class="canvas" ref={box} onScroll={(scroll) => setTop(scroll.currentTarget.scrollTop)} onKeyDown={press}>
        <svg class="graph" role="group" aria-label={`Graph of ${trace.events.length} events in ${layout.lanes.length} lanes`}
          width={layout.width * zoom} height={layout.height * zoom} viewBox={`0 0 ${layout.width} ${layout.height}`}>
          {layout.lanes.map(({ key, about }, index) => (
            <rect key={key} class={key === "decision" ? "lane gate" : "lane"} x={layout.sizes.left + index * layout.sizes.lane + 2} y="2" rx="4"
              width={layout.sizes.lane - 4} height={layout.height - 4}><title>{about}</title></rect>
          ))}
          {event !== null && <rect class="now" x="0" y={layout.sizes.top + event * row} width={layout.width} height={row} />}
          {sorted.map(({ child, edge }, index) => (
            <Line key={`${edge.parent} ${child} ${edge.kind} ${index}`} trace={trace} layout={layout} child={child} edge={edge}
              state={own({ child, edge }) ? "own" : child > step ? "later" : ""} />
          ))}
          {rows.map((one) => (
            <Node key={one.id} trace={trace} event={one} layout={layout} later={one.id > step} selected={one.id === event} entry={one.id === entry} />
          ))}
          <g class="heads" transform={`translate(0 ${top / zoom})`} aria-hidden="true">
            <rect class="head" x="0" y="0" width={layout.width} height={layout.sizes.top} />
            {layout.lanes.map(({ key, name }, index) => (
              <text key={key} x={layout.sizes.left + (index + 0.5) * layout.sizes.lane} y="17">{shorten(oneLine(name), Math.floor(layout.sizes.lane / 6.8))}</text>
            ))}
          </g>
        </svg>
      </div>
      <div class="below">
        <Legend />
        <span class="zoom" role="group" aria-label="Size of the graph">
          <button type="button" aria-label="Smaller" onClick={() => setZoom(ZOOMS.filter((one) => one < zoom).at(-1) ?? zoom)}>−</button>
          <button type="button" onClick={() => setZoom(Math.min(1.6, Math.max(0.3, width / layout.width)))}>Fit</button>
          <button type="button" aria-label="Larger" onClick={() => setZoom(ZOOMS.find((one) => one > zoom) ?? zoom)}>+</button>
        </span>
      </div>
    </>
  );
}

/** The slider. Without a selected event all of the trace is shown, which is its last step. */
function Steps({ trace, event }: { trace: Trace; event: number | null }) {
  const last = trace.events.length - 1;
  const step = event ?? last;
  const before = trace.events.slice(0, step + 1);
  const count = before.filter(({ labels }) => tainted(trace, labels)).length;
  const current = trace.events[step];
  return (
    <div class="steps">
      <button type="button" aria-label="Step back" disabled={step <= 0} onClick={() => select(step - 1)}>‹</button>
      <input type="range" min="0" max={Math.max(0, last)} value={step} aria-label="Step"
        aria-valuetext={current ? oneLine(`step ${sentence(trace, current)}`) : undefined} onInput={(input) => select(Number(input.currentTarget.value))} />
      <button type="button" aria-label="Step forward" disabled={step >= last} onClick={() => select(step + 1)}>›</button>
      <output>step {step} of {last} · <b>{count}</b> of {before.length} tainted by then</output>
    </div>
  );
}
