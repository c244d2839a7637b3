/** Two events of a diff in one row, with the fields in which they differ. */
import { status, type Pair } from "./align";
import { LabelMarks } from "./Marks";
import { memo } from "./memo";
import { Inline, Name, Text } from "./Text";
import type { Event, Trace } from "./trace";
import { oneLine } from "./visible";
import { content, kindName, tainted, title, verdictClass } from "./words";

interface Props {
  a: Trace;
  b: Trace;
  pair: Pair;
  index: number;
  current: boolean;
  /** The first event at which the two part. */
  first: boolean;
  hrefA: string | null;
  hrefB: string | null;
}

/** Characters of an event's text that stand in its row, and of a field that stands in one line with its other value. */
const SAID = 220;
const SHORT = 60;

const WORDS = { same: "equal", aside: "equal but for its rule or cost", changed: "changed", "only a": "only in A", "only b": "only in B" } as const;
const SIGNS = { same: "=", aside: "≈", changed: "≠", "only a": "−", "only b": "+" } as const;

export const PairRow = memo(({ a, b, pair, index, current, first, hrefA, hrefB }: Props) => {
  const how = status(pair);
  // Short texts stand in the row already.
  const shown = pair.changes.filter((change) => !change.aside && !(change.field === "text" && change.a.length <= SAID && change.b.length <= SAID));
  const aside = pair.changes.filter((change) => change.aside);
  return (
    <div role="listitem" class={`pair ${how.replace(" ", "-")}${current ? " current" : ""}`} data-pair={index} tabIndex={-1} aria-current={current ? "true" : undefined}>
      {first && <p class="parting">They part here</p>}
      <span class="how" title={WORDS[how]}><span aria-hidden="true">{SIGNS[how]}</span><span class="unseen">{WORDS[how]}: </span></span>
      <Side trace={a} event={pair.a} href={hrefA} side="A" />
      <Side trace={b} event={pair.b} href={hrefB} side="B" />
      {how === "changed" && shown.length + aside.length > 0 && (
        <dl class="changes">
          {shown.map(({ field, a: from, b: to }) => (
            <div key={field} class={from.length + to.length > 2 * SHORT ? "" : "short"}>
              <dt><Name text={field} /></dt>
              <dd class="from"><span class="unseen">A: </span>{from === "" ? <span class="quiet">none</span> : from.length > SAID ? <Text text={from} what={`${field} in A`} /> : <Inline text={from} />}</dd>
              <dd class="to"><span class="unseen">B: </span>{to === "" ? <span class="quiet">none</span> : to.length > SAID ? <Text text={to} what={`${field} in B`} /> : <Inline text={to} />}</dd>
            </div>
          ))}
          {aside.length > 0 && <div class="short quiet"><dt>also</dt><dd>{aside.map(({ field }) => oneLine(field)).join(", ")}</dd></div>}
        </dl>
      )}
    </div>
  );
});

function Side({ trace, event, href, side }: { trace: Trace; event: Event | null; href: string | null; side: string }) {
  if (!event || href === null) return <div class="side none"><span class="unseen">nothing in {side}</span></div>;
  const verdict = event.body.type === "decision" ? event.body : null;
  return (
    <div class={`side${tainted(trace, event.labels) ? " taint" : ""}`}>
      <a href={href}>{event.id} {oneLine(kindName(event.kind))}</a>{" "}
      {verdict ? <b class={`verdict ${verdictClass(verdict.verdict)}`}><Name text={verdict.verdict} /></b> : <b><Name text={title(trace, event)} /></b>}{" "}
      {verdict?.rule != null && <code><Name text={verdict.rule} /></code>}{" "}
      <LabelMarks trace={trace} set={event.labels} />
      <div class="second"><Inline text={content(event)} most={SAID} /></div>
    </div>
  );
}
