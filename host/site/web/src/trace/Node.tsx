/** An event in the graph: its shape, its name, and the signs of what befell it. */
import { memo } from "./memo";
import { centre, outline, type Layout } from "./layout";
import { eventHref, follow } from "./Marks";
import type { Event, Trace } from "./trace";
import { oneLine, shorten } from "./visible";
import { FACT, isJump, labels, own, sentence, tainted, title, verdictClass } from "./words";

/** Pixels that a shape's slopes take from its name. */
const SLANTED: Record<string, number> = { decision: 14, proposal: 16 };

interface Props {
  trace: Trace;
  event: Event;
  layout: Layout;
  /** After the step that is shown. */
  later: boolean;
  selected: boolean;
  /** The keyboard enters the graph here. */
  entry: boolean;
}

export const Node = memo(({ trace, event, layout, later, selected, entry }: Props) => {
  const { sizes } = layout;
  const [x, y] = centre(layout, event.id);
  const roomy = sizes.wide > 40;
  const verdict = event.body.type === "decision" ? event.body.verdict : null;
  const words = [sentence(trace, event), ...signs(trace, event).map(({ means }) => means)].join(", ");
  const classes = ["node", tainted(trace, event.labels) && "taint", later && "later", selected && "selected", verdict && verdictClass(verdict)];
  return (
    <a class={classes.filter(Boolean).join(" ")} href={eventHref(event.id)} tabIndex={entry ? 0 : -1} data-event={event.id}
      aria-current={selected ? "step" : undefined} onClick={(click: MouseEvent) => follow(click, event.id)}>
      <title>{oneLine(words)}</title>
      <rect class="hit" x={sizes.left} y={y - sizes.row / 2} width={layout.width - sizes.left} height={sizes.row} />
      <path class="shape" fill-rule={event.kind === "commit" ? "nonzero" : undefined} d={outline(event.kind, [x, y], sizes)} />
      <text class="name" aria-hidden="true" x={x} y={y + 4}>{roomy ? shorten(oneLine(title(trace, event)), Math.floor((sizes.wide - (own(SLANTED, event.kind) ?? 8)) / 6.4)) : event.id}</text>
      {roomy && <text class="number" aria-hidden="true" x={sizes.left - 6} y={y + 4}>{event.id}</text>}
      {signs(trace, event).map(({ sign, at, place }, index) => (
        <g key={index} class="sign" aria-hidden="true" transform={`translate(${x + (at * sizes.wide) / 2 - at * place * 14} ${y - sizes.high / 2})`}>
          {sign === "stop" ? <path class="stop" d="M-3-7H3L7-3V3L3 7H-3L-7 3V-3ZM-3-3L3 3M3-3L-3 3" />
            : sign === "jump" ? <path class="jump" d="M0-7L7 5H-7ZM0-3V1M0 2.4V3.4" />
            : <><circle r="6.5" /><text y="3.2">{sign}</text></>}
        </g>
      ))}
    </a>
  );
});

interface Sign { sign: string; means: string; at: 1 | -1; place: number }

/** Labels at the right, and what befell the event at the left: a stop, a jump of privilege, an effect that nobody authorised. */
function signs(trace: Trace, event: Event): Sign[] {
  const out: Sign[] = [];
  if (event.body.type === "decision" && event.body.verdict === "block") out.push({ sign: "stop", means: "blocked", at: -1, place: 0 });
  else if (isJump(trace, event)) out.push({ sign: "jump", means: "privilege jump", at: -1, place: 0 });
  if (event.kind === "commit" && event.facts & FACT.unauthorised) out.push({ sign: "jump", means: "unauthorised effect", at: -1, place: 0 });
  const letters: Record<string, string> = { canary: "C", private: "P", quarantined: "Q" };
  const all = labels(trace, event.labels);
  if (all.some(({ taint }) => taint)) out.push({ sign: "T", means: "tainted", at: 1, place: 0 });
  for (const { name, taint } of all) {
    const letter = own(letters, name);
    if (letter && !taint) out.push({ sign: letter, means: name, at: 1, place: out.filter(({ at }) => at === 1).length });
  }
  return out;
}
