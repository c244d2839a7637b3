/** A list of rollouts, as long as there are. */
import type { Outcome } from "../data";
import { count, plural } from "../format";
import { LOOKS } from "../outcomes";
import { VirtualList } from "../parts/VirtualList";
import { traceHref } from "../routes";

export interface TraceRow { unit: number; title: string; outcome?: Outcome | undefined; facts: string[] }

const ROW = 56;

export function TraceList({ track, entry, rows, of }: { track: string; entry: string; rows: readonly TraceRow[]; of: number }) {
  return (
    <>
      <p role="status">{plural(rows.length, "rollout")} of {count(of)}.</p>
      {rows.length === 0 ? <p class="empty">No rollout is like that.</p> : (
        <VirtualList items={rows} rowHeight={ROW} height={Math.max(360, Math.round(innerHeight * 0.7))} label="Rollouts" itemKey={({ unit }) => unit}
          render={({ unit, title, outcome, facts }) => {
            const look = LOOKS.find((one) => one.outcome === outcome);
            return (
              <a class="rollout" href={traceHref(track, entry, unit)}>
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
