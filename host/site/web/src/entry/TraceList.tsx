/** A list of rollouts, as long as there are. */
import type { Outcome } from "../data";
import { count, plural } from "../format";
import { LOOKS } from "../outcomes";
import { VirtualList } from "../parts/VirtualList";
import { traceHref } from "../routes";
import { setQuery, useRoute } from "../router";

export interface TraceRow { unit: number; title: string; outcome?: Outcome | undefined; facts: string[] }

const ROW = 56;

export function TraceList({ track, entry, rows, of }: { track: string; entry: string; rows: readonly TraceRow[]; of: number }) {
  const { at } = useRoute().query;
  const left = rows.findIndex(({ unit }) => String(unit) === at);
  return (
    <>
      <p role="status">{plural(rows.length, "rollout")} of {count(of)}.</p>
      {rows.length === 0 ? <p class="empty">No rollout is like that.</p> : (
        <VirtualList items={rows} rowHeight={ROW} height={Math.max(360, Math.round(innerHeight * 0.7))} label="Rollouts" itemKey={({ unit }) => unit} selected={left}
          render={({ unit, title, outcome, facts }) => {
            const look = LOOKS.find((one) => one.outcome === outcome);
            return (
              <a class={`rollout ${String(unit) === at ? "left" : ""}`} href={traceHref(track, entry, unit)} onClick={() => setQuery({ at: unit })}>
                {look && <span class={`swatch o-${look.outcome}`} aria-hidden="true">{look.letter}</span>}
                <span class="title">{title}</span>
                <small>{[look?.label, ...facts].filter(Boolean).join(" · ")}</small>
              </a>
            );
          }} />
      )}
    </>
  );
}
