/** The trusted intent ledger, as a reader sees it. */
import { inWords } from "./match";
import { Name } from "./Text";
import type { Authorization, Ledger as Entries } from "./trace";

/** One authorisation: tool, targets and rules. */
export function Entry({ entry }: { entry: Authorization }) {
  return (
    <div class="entry">
      <code><Name text={entry.action} /></code>
      {entry.targets.length > 0 && <> to {entry.targets.map((target, index) => <span key={index}>{index > 0 && ", "}<code><Name text={target} /></code></span>)}</>}
      {entry.constraints.length > 0 && (
        <ul>{entry.constraints.map(({ argument, rule }, index) => <li key={index}><code><Name text={argument} /></code> is <Name text={inWords(rule)} /></li>)}</ul>
      )}
    </div>
  );
}

export function Ledger({ ledgers }: { ledgers: Entries[] }) {
  return (
    <>
      {ledgers.map(({ form, entries }, index) => (
        <div key={index}>
          <p>Form <code><Name text={form} /></code>{entries.length === 0 && ": it authorises no action"}</p>
          {entries.length > 0 && <ol class="ledger" start={0}>{entries.map((entry, position) => <li key={position}><Entry entry={entry} /></li>)}</ol>}
        </div>
      ))}
    </>
  );
}
