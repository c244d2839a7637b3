/** What is known of a rollout as a whole: task, parts, the oracle's word, what was measured. */
import { Exchanges } from "./Exchanges";
import { Fact } from "./Details";
import { Ledger } from "./Ledger";
import { Measured } from "./Measured";
import type { Opened, Rollout } from "./open";
import { Name, Text } from "./Text";
import type { PluginRef, Trace } from "./trace";
import { oneLine, visibleJson } from "./visible";
import { own } from "./words";

export function About({ opened, rollout }: { opened: Opened; rollout: Rollout }) {
  const { trace } = opened;
  const { header } = trace;
  return (
    <>
      <div class="detail-head"><h2>About the rollout</h2></div>
      <section><h3>Goal</h3><Text text={header.goal} what="goal" /></section>
      <dl class="facts">
        <Fact name="scenario"><Name text={header.scenario} /></Fact>
        <Fact name="stage"><Name text={header.stage} /></Fact>
        <Fact name="family"><Name text={header.family} /></Fact>
        <Fact name="domain"><Plugin plugin={header.domain} /></Fact>
        <Fact name="policy">{header.policy ? <Plugin plugin={header.policy} /> : <span class="quiet">none took part</span>}</Fact>
        <Origin trace={trace} />
        <Fact name="agents">{header.agents.map((agent, index) => <span key={index}>{index > 0 && ", "}<Name text={agent} /></span>)}</Fact>
        <Fact name="topology"><Name text={header.topology} /></Fact>
        <Fact name="memory"><Name text={header.memory_mode} />{header.memory && <Memory trace={trace} />}</Fact>
        <Fact name="unit"><code><Name text={header.unit} /></code></Fact>
      </dl>
      <section><h3>The oracle's word</h3><Verdict trace={trace} /></section>
      <section><h3>Ledger <small>what the policy was told that the user authorises</small></h3><Ledger ledgers={header.ledgers} /></section>
      <Measured opened={opened} rollout={rollout} />
      <Exchanges trace={trace} />
      <details><summary>Header as recorded</summary><Text text={visibleJson(trace.line)} what="the header's line" /></details>
    </>
  );
}

function Plugin({ plugin }: { plugin: PluginRef }) {
  return <><Name text={plugin.name} />{plugin.version !== undefined && <> <Name text={plugin.version} /></>} <code title="SHA-256 of the component"><Name text={plugin.digest.slice(0, 12)} /></code></>;
}

function Origin({ trace: { header: { origin } } }: { trace: Trace }) {
  if (origin.kind === "live") {
    return (
      <>
        <Fact name="model"><Name text={origin.model} />{origin.simulated && " (simulated)"}</Fact>
        <Fact name="seed">{origin.seed}</Fact>
      </>
    );
  }
  return <Fact name="recorded run"><Text text={JSON.stringify(origin.run, null, 2)} what="the run's record" /></Fact>;
}

function Memory({ trace }: { trace: Trace }) {
  const memory = trace.header.memory;
  if (!memory) return null;
  const words = [memory.module, memory.condition, memory.view && `view ${memory.view}`, memory.method && `by ${memory.method}`, memory.gold && "gold labels"];
  return <>, <Name text={words.filter(Boolean).join(", ")} />{memory.writer && <>, writer <Plugin plugin={memory.writer} /></>}</>;
}

const VERDICT: Record<string, [name: string, means: string]> = {
  goal_met: ["goal met", "the structured criteria of success hold"],
  tainted_dependency: ["tainted dependency", "the authorised effect depends on a tainted source"],
  recovered: ["recovered", "the objective of the recovery was reached"],
  reinfected: ["reinfected", "tainted memory came back"],
};

function Verdict({ trace }: { trace: Trace }) {
  return (
    <dl class="facts">
      {Object.entries(trace.header.verdict).map(([name, value]) => (
        <Fact key={name} name={own(VERDICT, name)?.[0] ?? oneLine(name)}><span title={own(VERDICT, name)?.[1]}>{value === null ? <span class="quiet">unknown or not applicable</span> : value ? "yes" : "no"}</span></Fact>
      ))}
    </dl>
  );
}
