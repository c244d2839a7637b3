/** The list of a trace's events, with its search and filters. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { VirtualList } from "../parts/VirtualList";
import { setQuery } from "../router";
import { kindsOf, verdictsOf, type Filter } from "./find";
import { eventHref, follow } from "./Marks";
import { memo } from "./memo";
import { Inline, Name } from "./Text";
import type { Event, Trace } from "./trace";
import { useBox } from "./useBox";
import { oneLine } from "./visible";
import { agentName, content, HOOKS, isJump, kindName, labels, own, tainted, title, verdictClass } from "./words";

/** Pixels; trace.css says the same of `.row`. */
const ROW = 52;

export function Timeline({ trace, shown, event, filter, search }: {
  trace: Trace;
  /** Identifiers of the events that the filter leaves. */
  shown: number[];
  event: number | null;
  filter: Filter;
  search: RefObject<HTMLInputElement | null>;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { height } = useBox(box);
  // The keyboard stays in the list when it moves the selection; the row is there once the list has scrolled to it.
  useLayoutEffect(() => {
    if (event === null || !box.current?.contains(document.activeElement)) return;
    let frame = 0;
    const focus = (tries: number) => {
      const row = box.current?.querySelector<HTMLElement>(`[data-row="${event}"]`);
      if (row) row.focus({ preventScroll: true });
      else if (tries > 0) frame = requestAnimationFrame(() => focus(tries - 1));
    };
    focus(30);
    return () => cancelAnimationFrame(frame);
  }, [event]);
  return (
    <>
      <Filters trace={trace} filter={filter} search={search} />
      <p class="found" role="status">
        {shown.length === trace.events.length ? `${shown.length} events` : `${shown.length} of ${trace.events.length} events`}
        {shown.length < trace.events.length && <button type="button" class="link" onClick={() => setQuery({ q: null, kind: null, taint: null, decision: null })}>Show all</button>}
      </p>
      <div class="rows" ref={box}>
        {shown.length === 0 ? <p class="quiet">No event is like that.</p> : (
          <VirtualList items={shown} rowHeight={ROW} height={height} label="Events" selected={event === null ? undefined : shown.indexOf(event)}
            itemKey={(id) => id} render={(id) => {
              const one = trace.events[id];
              return one && <Row trace={trace} event={one} selected={id === event} words={filter.text} />;
            }} />
        )}
      </div>
    </>
  );
}

const Row = memo(({ trace, event, selected, words }: { trace: Trace; event: Event; selected: boolean; words: string }) => {
  const { body } = event;
  const verdict = body.type === "decision" ? body.verdict : null;
  return (
    <a class={`row${tainted(trace, event.labels) ? " taint" : ""}`} href={eventHref(event.id)} tabIndex={selected ? 0 : -1} data-row={event.id}
      aria-current={selected ? "step" : undefined} onClick={(click) => follow(click, event.id)}>
      <span class="number">{event.id}</span>
      <span class="first">
        <span class="kind">{oneLine(kindName(event.kind))}</span>
        {verdict ? <b class={`verdict ${verdictClass(verdict)}`}>{oneLine(verdict)}</b> : <b class="title"><Name text={title(trace, event)} /></b>}
        {isJump(trace, event) && <span class="jump" title="privilege jump: a tainted high-risk proposal">▲ jump</span>}
        {trace.header.agents.length > 1 && <span class="agent"><Name text={agentName(trace, event.agent)} /></span>}
      </span>
      <span class="letters">{labels(trace, event.labels).map(({ name, mark, taint }) => <b key={name} class={taint ? "taint" : ""} title={oneLine(name)}>{mark}<span class="unseen"> {oneLine(name)}</span></b>)}</span>
      <span class="second">
        {body.type === "decision" && body.rule !== null && <code><Inline text={body.rule} /></code>}
        {content(event) === "" ? (body.type === "decision" ? `on ${oneLine(own(HOOKS, body.hook) ?? body.hook)}` : "no text") : <Inline text={snippet(content(event), words)} most={160} />}
      </span>
    </a>
  );
});

/** The part of a text around what was searched. */
function snippet(text: string, words: string): string {
  const needle = words.toLowerCase().split(/\s+/).find((word) => word && text.toLowerCase().includes(word));
  const at = needle ? text.toLowerCase().indexOf(needle) : 0;
  return at > 30 ? `…${text.slice(at - 20)}` : text;
}

function Filters({ trace, filter, search }: { trace: Trace; filter: Filter; search: RefObject<HTMLInputElement | null> }) {
  const kinds = kindsOf(trace);
  const toggle = (kind: string) => {
    const next = filter.kinds.includes(kind) ? filter.kinds.filter((one) => one !== kind) : [...filter.kinds, kind];
    setQuery({ kind: next.join(",") });
  };
  return (
    <div class="filters">
      <input type="search" ref={search} value={filter.text} placeholder="Search texts, arguments, rules …" aria-label="Search the events" title="Search the events (f)"
        autocomplete="off" spellcheck={false} onInput={(input) => setQuery({ q: input.currentTarget.value })} />
      <div class="kinds" role="group" aria-label="Kinds of events">
        {kinds.map(([kind, count]) => (
          <button key={kind} type="button" aria-pressed={filter.kinds.includes(kind)} onClick={() => toggle(kind)}>{oneLine(kindName(kind))} <small>{count}</small></button>
        ))}
      </div>
      <div class="choices">
        <select aria-label="Taint" value={filter.taint} onChange={(change) => setQuery({ taint: change.currentTarget.value })}>
          <option value="">any taint</option>
          <option value="tainted">tainted</option>
          <option value="clean">not tainted</option>
        </select>
        <select aria-label="Decision" value={filter.decision} onChange={(change) => setQuery({ decision: change.currentTarget.value })}>
          <option value="">any decision</option>
          {verdictsOf(trace).map((verdict) => <option key={verdict} value={verdict}>{oneLine(verdict)}</option>)}
        </select>
      </div>
    </div>
  );
}
