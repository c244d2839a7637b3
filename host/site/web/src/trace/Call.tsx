/** The call that an event belongs to: its arguments with where they came from, what the ledger says of it, and the model's words. */
import { EventLink, LabelMarks } from "./Marks";
import { matches, value } from "./match";
import { Entry } from "./Ledger";
import { Name, Text } from "./Text";
import type { Event, Trace } from "./trace";

export function Call({ trace, event }: { trace: Trace; event: Event }) {
  const proposal = proposalOf(trace, event);
  const said = proposal ?? (event.kind === "message" ? event : null);
  const state = said && modelText(trace, said);
  return (
    <>
      {proposal && proposal.body.type === "proposal" && (
        <section>
          <h3>{proposal === event ? "Arguments" : <>Arguments of <EventLink trace={trace} id={proposal.id} /></>}</h3>
          <Arguments trace={trace} proposal={proposal} />
        </section>
      )}
      {proposal && ["proposal", "decision"].includes(event.kind) && <LedgerMatch trace={trace} proposal={proposal} />}
      {state && (
        <section>
          <h3>What the model wrote <small><EventLink trace={trace} id={state.id} /></small></h3>
          <Text text={state.text} what="raw text of the model" />
        </section>
      )}
    </>
  );
}

/** The proposal that an event is, or is about. */
function proposalOf(trace: Trace, event: Event): Event | null {
  if (event.kind === "proposal") return event;
  const about = event.edges.map(({ parent }) => trace.events[parent]).find((parent) => parent?.kind === "proposal");
  if (about) return about;
  return event.call === null ? null : (trace.events.find(({ kind, call }) => kind === "proposal" && call === event.call) ?? null);
}

/** The state of the agent whose text was read as this action. */
function modelText(trace: Trace, action: Event): Event | null {
  const states = action.edges.map(({ parent }) => trace.events[parent]).filter((parent) => parent?.kind === "agent-state");
  return states.at(-1) ?? null;
}

function Arguments({ trace, proposal }: { trace: Trace; proposal: Event }) {
  if (proposal.body.type !== "proposal") return null;
  const tool = proposal.tool === null ? undefined : trace.tools[proposal.tool];
  if (proposal.body.arguments.length === 0) return proposal.text ? <Text text={proposal.text} what="the action's text" /> : <p class="quiet">none</p>;
  return (
    <dl class="arguments">
      {proposal.body.arguments.map(({ parameter, value: json, labels, sources }) => (
        <div key={parameter}>
          <dt><Name text={tool?.parameters[parameter]?.name ?? `argument ${parameter}`} /> <small><Name text={tool?.parameters[parameter]?.role ?? ""} /></small> <LabelMarks trace={trace} set={labels} /></dt>
          <dd>
            <Text text={pretty(json)} what="value" />
            <p class="sources">found in {sources.length === 0 ? "no event" : sources.map((id, index) => <span key={id}>{index > 0 && ", "}<EventLink trace={trace} id={id} /></span>)}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A JSON text over several lines; numbers that a page cannot hold exactly stay as they are written. */
function pretty(json: string): string {
  const parsed = value(json);
  return typeof parsed === "object" && parsed !== null && !/\d{16,}/.test(json) ? JSON.stringify(parsed, null, 2) : json;
}

/** A trace does not record the match, so that this page takes it from the ledger and the call, as equation 9 says. */
function LedgerMatch({ trace, proposal }: { trace: Trace; proposal: Event }) {
  const found = matches(trace, proposal);
  if (found === null) return null;
  const entries = trace.header.ledgers.reduce((sum, ledger) => sum + ledger.entries.length, 0);
  return (
    <section>
      <h3>Ledger match</h3>
      {entries === 0 ? <p>The ledger authorises no action.</p> : found.length === 0 ? <p>No entry of the ledger ({entries} in all) speaks of this action.</p> : (
        <ul class="matches">
          {found.map(({ form, position, entry, fits, why }) => (
            <li key={`${form} ${position}`} class={fits ? "fits" : "fails"}>
              <b>{fits ? "✓ matches" : "✗ does not match"} entry {position}</b> <small><Name text={form} /></small> — <Name text={why} />
              <Entry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {entries > 0 && <p class="quiet"><small>Taken here from the ledger and the arguments (action, targets and argument rules); a policy may go by another rule.</small></p>}
    </section>
  );
}
