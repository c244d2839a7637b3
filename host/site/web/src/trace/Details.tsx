/** All that a trace says of one event. */
import { count } from "../format";
import { Copy } from "../parts/Copy";
import { Call } from "./Call";
import { EventLink, FactMarks, LabelMarks, select } from "./Marks";
import { Name, Text } from "./Text";
import type { Event, Trace } from "./trace";
import { visibleJson } from "./visible";
import { agentName, EDGES, FACT, HOOKS, isJump, kindName, own, title, toolName, verdictClass } from "./words";

export function Details({ trace, event, replay }: { trace: Trace; event: Event; replay: string | null }) {
  const { body } = event;
  const decision = body.type === "decision" ? body : null;
  return (
    <>
      <div class="detail-head">
        <h2>{event.id} {kindName(event.kind)} {decision ? <b class={`verdict ${verdictClass(decision.verdict)}`}><Name text={decision.verdict} /></b> : <Name text={title(trace, event)} />}</h2>
        <button type="button" class="link" onClick={() => select(null)}>About the rollout</button>
      </div>
      {(event.labels !== 0n || event.facts !== 0) && <p class="signs"><LabelMarks trace={trace} set={event.labels} /><FactMarks event={event} /></p>}
      {isJump(trace, event) && <p class="warning">▲ Privilege jump: influence of low trust reached a high-risk action.</p>}
      <dl class="facts">
        <Fact name="agent"><Name text={agentName(trace, event.agent)} /></Fact>
        {event.tool !== null && <Fact name="tool"><Name text={toolName(trace, event) ?? ""} />{effect(trace, event)}</Fact>}
        {event.call !== null && <Fact name="call">{event.call}</Fact>}
        {decision && <>
          <Fact name="asked about">{own(HOOKS, decision.hook) ?? <Name text={decision.hook} />} <code>{own(HOOKS, decision.hook) ? decision.hook : ""}</code></Fact>
          <Fact name="rule">{decision.rule === null ? <span class="quiet">names none</span> : <code><Name text={decision.rule} /></code>}{event.facts & FACT.fault ? " (a plugin fault decided)" : ""}</Fact>
          <Fact name="message">{decision.message === "" ? <span class="quiet">none</span> : <Text text={decision.message} what="message of the policy" />}</Fact>
          <Fact name="fuel">{count(decision.fuel)} <small>wasm instructions of the hook</small></Fact>
        </>}
        {body.type === "commit" && <Fact name="changed">{body.targets.length ? body.targets.map((target) => <div key={target}><code><Name text={target} /></code></div>) : <span class="quiet">nothing</span>}</Fact>}
        {body.type === "repair" && <Fact name="repair"><Name text={title(trace, event)} /></Fact>}
        {body.type === "tool-result" && <Fact name="outcome">{body.error ? "the call failed; the text is its error" : "the call returned"}</Fact>}
        {body.type === "text" && <Fact name="from"><Name text={body.origin} /></Fact>}
      </dl>
      <Call trace={trace} event={event} />
      {event.kind !== "proposal" && event.text !== (decision?.message ?? (event.kind === "commit" ? "" : null)) && (
        <section>
          <h3>{decision ? "Text in the observation's place" : event.kind === "agent-state" ? "What the model wrote" : "Text"}</h3>
          <Text text={event.text} />
        </section>
      )}
      <Edges trace={trace} event={event} />
      <details>
        <summary>As recorded</summary>
        <Text text={visibleJson(event.line)} what="the event's line" />
      </details>
      <p class="commands">
        <Copy text={location.href} label="Copy link" what="to this event" />
        {decision && replay && <Copy text={`${replay} --as-case ${event.id}`} label="Copy test case command" what="for this decision" />}
      </p>
    </>
  );
}

export function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>;
}

function effect(trace: Trace, event: Event) {
  const tool = event.tool === null ? undefined : trace.tools[event.tool];
  return tool ? <small> <Name text={tool.effect.replace("-", " ")} /></small> : <small> (this site does not have its toolset)</small>;
}

/** Edges from earlier events, and to later ones. */
function Edges({ trace, event }: { trace: Trace; event: Event }) {
  const out = trace.events.flatMap(({ id, edges }) => edges.filter(({ parent }) => parent === event.id).map(({ kind }) => ({ id, kind })));
  const list = (name: string, edges: { id: number; kind: string }[]) => (
    <section class="edge-list">
      <h3>{name}</h3>
      {edges.length === 0 ? <p class="quiet">none</p> : (
        <ul>{edges.map(({ id, kind }, index) => (
          <li key={index}><EventLink trace={trace} id={id} /> <small title={own(EDGES, kind)?.means}>{own(EDGES, kind)?.name ?? <Name text={kind} />}</small></li>
        ))}</ul>
      )}
    </section>
  );
  return (
    <div class="edge-lists">
      {list("Comes from", event.edges.map(({ parent, kind }) => ({ id: parent, kind })))}
      {list("Leads to", out)}
    </div>
  );
}
