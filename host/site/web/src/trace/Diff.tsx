/** Two traces of one task and seed under two entries, aligned; opens at the first event at which they part. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Check } from "../parts/Select";
import { setQuery, useRoute } from "../router";
import { traceHref } from "../routes";
import { useTitle } from "../shell/useTitle";
import { align, differs } from "./align";
import { Deltas, Effects } from "./Deltas";
import { Digest } from "./Head";
import { useKeys } from "./keys";
import { useRollouts, type Opened } from "./open";
import { PairRow } from "./PairRow";
import { Inline, Marks, Name } from "./Text";
import { oneLine } from "./visible";

interface Side { entry: string; unit: number }
export interface DiffProps { track: string; a: Side; b: Side }

export function DiffView({ track, a, b }: DiffProps) {
  useTitle("Two traces");
  const rollouts = useRollouts([{ track, ...a }, { track, ...b }]);
  if (!rollouts) return <p class="loading" role="status">Loading two traces …</p>;
  if ("failed" in rollouts) {
    return (
      <div class="failed" role="alert">
        <p><strong>These traces could not be compared.</strong></p>
        <p>{oneLine(rollouts.failed)}</p>
      </div>
    );
  }
  const [left, right] = rollouts;
  return left && right ? <Compared track={track} a={{ ...a, opened: left }} b={{ ...b, opened: right }} /> : null;
}

interface OpenSide extends Side { opened: Opened }

/** Pairs that stay in sight around a difference. */
const AROUND = 2;

function Compared({ track, a, b }: { track: string; a: OpenSide; b: OpenSide }) {
  const [left, right] = [a.opened.trace, b.opened.trace];
  const pairs = useMemo(() => align(left, right), [left, right]);
  const differences = useMemo(() => pairs.flatMap((pair, index) => (differs(pair) ? [index] : [])), [pairs]);
  const [all, showAll] = useState(false);
  const rows = useRef<HTMLDivElement>(null);
  const asked = Number(useRoute().query.at ?? 0);
  const at = Number.isInteger(asked) ? Math.max(0, Math.min(differences.length - 1, asked)) : 0;
  const current = differences[at];
  const moved = useRef(false);

  const step = (by: number) => {
    moved.current = true;
    setQuery({ at: Math.max(0, Math.min(differences.length - 1, at + by)) || null });
  };
  useKeys({ n: () => step(1), p: () => step(-1) });
  const article = useRef<HTMLElement>(null);
  // The buttons stay in sight below the page's own head, which is as high as its names need.
  useLayoutEffect(() => article.current?.style.setProperty("--above", `${document.querySelector<HTMLElement>(".top")?.offsetHeight ?? 0}px`), []);
  useEffect(() => {
    const row = current === undefined ? null : rows.current?.querySelector<HTMLElement>(`[data-pair="${current}"]`);
    if (!row) return;
    const { top, bottom } = row.getBoundingClientRect();
    if (top < 150 || bottom > innerHeight) row.scrollIntoView({ block: "center" });
    if (moved.current) row.focus({ preventScroll: true });
  }, [current, pairs]);

  const canaries = useMemo(() => ({ canaries: [...left.header.canaries, ...right.header.canaries], found: [] }), [left, right]);
  const name = (side: OpenSide) => side.opened.entries.find(({ id }) => id === side.entry)?.name ?? side.entry;
  return (
    <Marks.Provider value={canaries}>
      <article class="trace diff" ref={article}>
        <header class="trace-head">
          <h1><Name text={left.header.scenario} /></h1>
          <p class="goal"><b>Goal</b> <Inline text={left.header.goal} most={400} /></p>
          <Mismatch a={a.opened} b={b.opened} />
          <div class="ab">
            {[a, b].map((side, index) => (
              <p key={index} class="chips">
                <b>{index === 0 ? "A" : "B"}</b>
                <a href={traceHref(track, side.entry, side.unit)}><Name text={name(side)} /></a>
                <span>{side.opened.trace.events.length} events</span>
                <Digest digest={side.opened.digest} />
              </p>
            ))}
          </div>
        </header>
        <Effects a={left} b={right} />
        <div class="stepper">
          <button type="button" disabled={at <= 0} onClick={() => step(-1)} title="Previous difference (p)">‹ Previous</button>
          <button type="button" disabled={at >= differences.length - 1} onClick={() => step(1)} title="Next difference (n)">Next ›</button>
          <span role="status" aria-live="polite">
            {current === undefined ? "Both took the same course." : `Difference ${at + 1} of ${differences.length}${at === 0 ? ", where they part" : ""}`}
          </span>
          <Check label="Equal events too" checked={all} onChange={showAll} />
        </div>
        <div class="pairs" ref={rows} role="list" aria-label="Events of A and B">
          <div class="pair heads" role="presentation"><b>A: <Name text={name(a)} /></b><b>B: <Name text={name(b)} /></b></div>
          {runs(pairs.length, differences, all).map((run) => (
            <Run key={run.from} from={run.from} to={run.to} folded={run.folded}>
              {(index) => {
                const pair = pairs[index];
                return pair && (
                  <PairRow key={index} a={left} b={right} pair={pair} index={index} current={index === current} first={index === differences[0]}
                    hrefA={pair.a && traceHref(track, a.entry, a.unit, pair.a.id)} hrefB={pair.b && traceHref(track, b.entry, b.unit, pair.b.id)} />
                );
              }}
            </Run>
          ))}
        </div>
        <Deltas metrics={a.opened.metrics} a={{ track, entry: a.entry, unit: a.unit }} b={{ track, entry: b.entry, unit: b.unit }} nameA={name(a)} nameB={name(b)} />
      </article>
    </Marks.Provider>
  );
}

/** Runs of pairs: those far from any difference are folded. */
function runs(length: number, differences: number[], all: boolean): { from: number; to: number; folded: boolean }[] {
  const near = new Set(differences.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, index) => at - AROUND + index)));
  const out: { from: number; to: number; folded: boolean }[] = [];
  for (let index = 0; index < length; index += 1) {
    const folded = !all && !near.has(index);
    const last = out.at(-1);
    if (last && last.folded === folded) last.to = index + 1;
    else out.push({ from: index, to: index + 1, folded });
  }
  // A single pair takes less room than the line that would stand for it.
  for (const run of out) if (run.to - run.from === 1) run.folded = false;
  return out;
}

function Run({ from, to, folded, children }: { from: number; to: number; folded: boolean; children: (index: number) => preact.ComponentChildren }) {
  const [open, setOpen] = useState(false);
  if (folded && !open) {
    return <div role="listitem" class="folded"><button type="button" onClick={() => setOpen(true)}>{to - from} events that do not differ</button></div>;
  }
  return <>{Array.from({ length: to - from }, (_, index) => children(from + index))}</>;
}

/** What makes the two no fair pair. */
function Mismatch({ a, b }: { a: Opened; b: Opened }) {
  const [one, other] = [a.trace.header, b.trace.header];
  const seed = (header: typeof one) => (header.origin.kind === "live" ? header.origin.seed : null);
  const model = (header: typeof one) => (header.origin.kind === "live" ? header.origin.model : null);
  const apart = [
    (one.scenario !== other.scenario || one.domain.name !== other.domain.name) && "scenario",
    seed(one) !== seed(other) && "seed",
    model(one) !== model(other) && "model",
  ].filter(Boolean);
  if (apart.length === 0) return null;
  return <p class="warning" role="alert">▲ These two rollouts differ in their {apart.join(" and ")}, so that nothing follows from where they part.</p>;
}
