/** What reducers measured in one rollout, loaded when the reader asks for it. */
import { useState } from "preact/hooks";
import { rate } from "../format";
import { valuesOf, type Opened, type Rollout } from "./open";
import { Name } from "./Text";

/** A measured value, as short as it is exact. */
export function number(value: number): string {
  return Number.isInteger(value) ? String(value) : rate(value);
}

export function Measured({ opened, rollout }: { opened: Opened; rollout: Rollout }) {
  const [values, setValues] = useState<Record<string, number> | { failed: string } | null>(null);
  if (opened.metrics.length === 0) return null;
  const fetch = () => {
    if (values) return;
    valuesOf(rollout).then(setValues, (error: unknown) => setValues({ failed: String(error) }));
  };
  return (
    <details onToggle={fetch}>
      <summary>What was measured</summary>
      {values === null ? <p class="quiet" role="status">Loading …</p> : "failed" in values ? <p role="alert">{values.failed}</p> : (
        <table class="values">
          <tbody>
            {opened.metrics.filter(({ name }) => name in values).map(({ name, title, description }) => (
              <tr key={name}><th scope="row" title={description}><Name text={title} /></th><td class="n">{number(values[name] ?? 0)}</td></tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
