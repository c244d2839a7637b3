/** Small signs that stand beside an event: its labels, its facts, and links to other events. */
import { href } from "../routes";
import { route, setQuery } from "../router";
import { Name } from "./Text";
import type { Event, Labels, Trace } from "./trace";
import { facts, kindName, labels, sentence, title } from "./words";
import { oneLine, shorten } from "./visible";

/** Labels by their names; taint has a sign of its own, so that it is not told by colour. */
export function LabelMarks({ trace, set }: { trace: Trace; set: Labels }) {
  const all = labels(trace, set);
  if (all.length === 0) return null;
  return (
    <span class="marks">
      {all.map(({ name, mark, taint }) => (
        <span key={name} class={taint ? "mark taint" : "mark"}><b aria-hidden="true">{mark}</b> <Name text={name} />{taint && <span class="unseen"> (taint)</span>}</span>
      ))}
    </span>
  );
}

/** What the host and the oracle know. */
export function FactMarks({ event }: { event: Event }) {
  const all = facts(event.facts);
  if (all.length === 0) return null;
  return (
    <span class="marks">
      {all.map(({ name, bad, means }) => <span key={name} class={bad ? "fact bad" : "fact"} title={means}>{bad && <b aria-hidden="true">▲ </b>}{name}</span>)}
    </span>
  );
}

/** The address of an event of the trace that is shown, whatever the reader has filtered. */
export function eventHref(event: number | null): string {
  const { track, view, args } = route();
  return href(track, view, args, { event });
}

/** Selects an event; "back" does not step through events. */
export function select(event: number | null): void {
  setQuery({ event });
}

/** A link to an event. */
export function EventLink({ trace, id }: { trace: Trace; id: number }) {
  const event = trace.events[id];
  if (!event) return <span>{id}</span>;
  return (
    <a href={eventHref(id)} title={oneLine(sentence(trace, event))} onClick={(click) => follow(click, id)}>
      {id} {kindName(event.kind)} <bdi>{shorten(oneLine(title(trace, event)), 32)}</bdi>
    </a>
  );
}

/** A click that opens no other window selects the event in place. */
export function follow(click: MouseEvent, id: number): void {
  if (click.ctrlKey || click.metaKey || click.shiftKey || click.button !== 0) return;
  click.preventDefault();
  select(id);
}
