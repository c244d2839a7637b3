/** The edges of a graph: data flow is drawn through, and coloured and heavier where the earlier event bears taint; what carries no
 * labels is broken and thin. */
import { route, type Layout } from "./layout";
import { memo } from "./memo";
import type { Edge, Trace } from "./trace";
import { EDGES, own, tainted } from "./words";

/** One edge. */
export const Line = memo(({ trace, layout, child, edge, state }: {
  trace: Trace;
  layout: Layout;
  child: number;
  edge: Edge;
  state: "" | "later" | "own";
}) => {
  const { line, tip } = route(layout, edge, child);
  const parent = trace.events[edge.parent];
  const taint = edge.kind === "data-flow" && parent !== undefined && tainted(trace, parent.labels);
  const kind = own(EDGES, edge.kind) ? edge.kind : "other";
  return (
    <g class={`edge ${kind} ${taint ? "taint" : ""} ${state}`} data-edge={`${edge.parent}-${child}`}>
      <path class="line" d={line} />
      <path class="point" d={tip} />
    </g>
  );
});

/** What lines and signs mean. */
export function Legend() {
  const edge = (kind: string, words: string) => (
    <li><svg width="34" height="10" aria-hidden="true"><g class={`edge ${kind}`}><path class="line" d="M1 5H28" /><path class="point" d="M33 5L26 1.5V8.5Z" /></g></svg>{words}</li>
  );
  const sign = (drawn: preact.JSX.Element, words: string) => (
    <li><svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true"><g class="sign">{drawn}</g></svg>{words}</li>
  );
  return (
    <details class="legend">
      <summary>Lines and signs</summary>
      <ul>
        {edge("data-flow taint", "data flow of tainted content")}
        {edge("data-flow", "data flow")}
        {edge("structural", "structural: exists because of")}
        {edge("temporal", "temporal: came after")}
        {edge("audit", "audit: a record about")}
        {sign(<><circle r="6.5" /><text y="3.2">T</text></>, "bears taint (canary C, private P, quarantined Q)")}
        {sign(<path class="stop" d="M-3-7H3L7-3V3L3 7H-3L-7 3V-3ZM-3-3L3 3M3-3L-3 3" />, "blocked")}
        {sign(<path class="jump" d="M0-7L7 5H-7ZM0-3V1M0 2.4V3.4" />, "privilege jump: a tainted high-risk proposal; on an effect: unauthorised")}
      </ul>
    </details>
  );
}
