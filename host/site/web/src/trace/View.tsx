/** The trace viewer: events at the left, their graph in the middle, all of one event at the right. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useRoute } from "../router";
import { useTitle } from "../shell/useTitle";
import { About } from "./About";
import { Details } from "./Details";
import { find, index, type Filter } from "./find";
import { Graph } from "./Graph";
import { Head, replayCommand } from "./Head";
import { useKeys } from "./keys";
import { select } from "./Marks";
import { useRollouts, type Opened, type Rollout } from "./open";
import { Marks } from "./Text";
import { Timeline } from "./Timeline";
import { oneLine } from "./visible";
import { sentence } from "./words";

export interface TraceProps extends Rollout { event: number | null }

const PANELS = { list: "Events", graph: "Graph", details: "Details" } as const;
type Panel = keyof typeof PANELS;

export function TraceView({ track, entry, unit, event }: TraceProps) {
  const rollouts = useRollouts([{ track, entry, unit }]);
  const opened = rollouts && !("failed" in rollouts) ? rollouts[0] : undefined;
  useTitle(opened ? `${oneLine(opened.trace.header.scenario)}, ${entry}` : "Trace");
  if (!rollouts) return <p class="loading" role="status">Loading the trace …</p>;
  if ("failed" in rollouts) {
    return (
      <div class="failed" role="alert">
        <p><strong>This trace could not be shown.</strong></p>
        <p>{oneLine(rollouts.failed)}</p>
      </div>
    );
  }
  return opened ? <Panels opened={opened} rollout={{ track, entry, unit }} asked={event} /> : null;
}

function Panels({ opened, rollout, asked }: { opened: Opened; rollout: Rollout; asked: number | null }) {
  const { trace } = opened;
  const { query } = useRoute();
  const filter = useMemo((): Filter => ({
    text: query.q ?? "",
    kinds: (query.kind ?? "").split(",").filter(Boolean),
    taint: query.taint === "tainted" || query.taint === "clean" ? query.taint : "",
    decision: query.decision ?? "",
  }), [query.q, query.kind, query.taint, query.decision]);
  const words = useMemo(() => index(trace), [trace]);
  const shown = useMemo(() => find(trace, words, filter), [trace, words, filter]);
  const marked = useMemo(() => ({ canaries: trace.header.canaries, found: filter.text.split(/\s+/).filter(Boolean) }), [trace, filter.text]);
  const event = asked === null ? undefined : trace.events[asked];
  const selected = event?.id ?? null;

  const [panel, setPanel] = useState<Panel>(asked === null ? "list" : "details");
  const search = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLElement>(null);
  const step = (by: number) => {
    // From an event that the filter hides, to the nearest that it shows.
    const next = by > 0 ? shown.find((id) => selected === null || id > selected) : shown.findLast((id) => selected === null || id < selected);
    if (next !== undefined) select(next);
  };
  const ends = (place: number) => {
    const id = shown.at(place);
    if (id !== undefined) select(id);
  };
  const open = () => {
    setPanel("details");
    requestAnimationFrame(() => details.current?.focus());
  };
  useKeys({
    j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1), Home: () => ends(0), End: () => ends(-1),
    Enter: open, Escape: () => select(null),
    f: () => { setPanel("list"); requestAnimationFrame(() => search.current?.focus()); },
  });
  useEffect(() => { details.current?.scrollTo(0, 0); }, [selected]);

  return (
    <Marks.Provider value={marked}>
      <article class="trace" data-panel={panel}>
        <Head opened={opened} rollout={rollout} />
        {asked !== null && !event && <p class="warning" role="alert">This trace has no event {asked}: it ends with event {trace.events.length - 1}.</p>}
        <div class="panel-tabs" role="group" aria-label="Parts of the trace">
          {(Object.keys(PANELS) as Panel[]).map((one) => <button key={one} type="button" aria-pressed={panel === one} onClick={() => setPanel(one)}>{PANELS[one]}</button>)}
        </div>
        <div class="panels">
          <section class="trace-list" aria-label="Events">
            <Timeline trace={trace} shown={shown} event={selected} filter={filter} search={search} />
          </section>
          <section class="trace-graph" aria-label="Graph">
            <Graph trace={trace} event={selected} />
          </section>
          <section class="trace-details" aria-label="Details" tabIndex={0} ref={details}>
            {event ? <Details key={event.id} trace={trace} event={event} replay={replayCommand(opened)} /> : <About opened={opened} rollout={rollout} />}
          </section>
        </div>
        <p class="unseen" aria-live="polite">{event ? oneLine(`Step ${sentence(trace, event)}`) : ""}</p>
      </article>
    </Marks.Provider>
  );
}
