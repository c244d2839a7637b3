/** What came of two rollouts: effects that only one had, and the difference of each measured value. */
import { useEffect, useState } from "preact/hooks";
import { Check } from "../parts/Select";
import { signed } from "../format";
import { number } from "./Measured";
import { valuesOf, type Opened, type Rollout } from "./open";
import { Name } from "./Text";
import type { Trace } from "./trace";
import { FACT, toolName } from "./words";

/** Effects by tool and target. A world's state is no part of a trace; what changed it is. */
export function Effects({ a, b }: { a: Trace; b: Trace }) {
  const [left, right] = [effects(a), effects(b)];
  const only = (one: Map<string, boolean>, other: Map<string, boolean>) => [...one].filter(([effect]) => !other.has(effect));
  const list = (name: string, found: [string, boolean][]) => (
    <p><b>Effects only in {name}:</b> {found.length === 0 ? <span class="quiet">none</span> : found.map(([effect, bad], index) => (
      <span key={effect}>{index > 0 && ", "}<code><Name text={effect} /></code>{bad && <span class="bad"> ▲ unauthorised</span>}</span>
    ))}</p>
  );
  return <div class="effects">{list("A", only(left, right))}{list("B", only(right, left))}</div>;
}

function effects(trace: Trace): Map<string, boolean> {
  return new Map(trace.events.flatMap((event) => {
    if (event.body.type === "repair" && event.body.done) return [[`${event.body.action} ${event.body.target}`, false] as const];
    if (event.body.type !== "commit") return [];
    const bad = (event.facts & FACT.unauthorised) !== 0;
    return event.body.targets.map((target) => [`${toolName(trace, event) ?? "?"} ${target}`, bad] as const);
  }));
}

type Values = Record<string, number>;

export function Deltas({ metrics, a, b, nameA, nameB }: { metrics: Opened["metrics"]; a: Rollout; b: Rollout; nameA: string; nameB: string }) {
  const [all, showAll] = useState(false);
  const [values, setValues] = useState<[Values, Values] | null>(null);
  useEffect(() => {
    // Without its values a site still has its traces.
    if (metrics.length > 0) Promise.all([valuesOf(a), valuesOf(b)]).then(setValues, () => setValues(null));
  }, [metrics]);
  if (!values) return null;
  const rows = metrics.map((metric) => ({ metric, from: values[0][metric.name], to: values[1][metric.name] }))
    .filter(({ from, to }) => from !== undefined || to !== undefined);
  const shown = rows.filter(({ from, to }) => all || from !== to);
  const cell = (value: number | undefined) => <td class="n">{value === undefined ? <span class="quiet">N/A</span> : number(value)}</td>;
  return (
    <section class="deltas">
      <h2>What was measured</h2>
      <Check label="Equal values too" checked={all} onChange={showAll} />
      {shown.length === 0 ? <p>All {rows.length} values are equal.</p> : (
        <div class="scroll" tabIndex={0} role="group" aria-label="Measured values of A and B">
          <table class="values">
            <thead><tr><th scope="col">metric</th><th scope="col" class="n">A: <Name text={nameA} /></th><th scope="col" class="n">B: <Name text={nameB} /></th><th scope="col" class="n">B − A</th></tr></thead>
            <tbody>
              {shown.map(({ metric, from, to }) => (
                <tr key={metric.name}>
                  <th scope="row" title={metric.description}><Name text={metric.title} /></th>
                  {cell(from)}{cell(to)}
                  <td class="n">{from === undefined || to === undefined ? <span class="quiet">N/A</span> : <Delta value={to - from} better={metric.better} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A difference, with a word where one side is better. */
function Delta({ value, better }: { value: number; better: string }) {
  const text = Number.isInteger(value) ? `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value)}` : signed(value);
  if (value === 0 || (better !== "more" && better !== "less")) return <>{text}</>;
  const good = (value > 0) === (better === "more");
  return <span class={good ? "good" : "bad"}>{text} <small>{good ? "better" : "worse"}</small></span>;
}
