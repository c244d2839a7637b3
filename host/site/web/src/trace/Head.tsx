/** The head of a trace's page: which rollout it is, whether its bytes are what was recorded, and where to go from here. */
import { useState } from "preact/hooks";
import { Copy } from "../parts/Copy";
import { go } from "../router";
import { diffHref, entryHref, href } from "../routes";
import type { DigestState } from "./decode";
import { sameUnit, type Opened, type Rollout } from "./open";
import { Inline, Name } from "./Text";
import { oneLine } from "./visible";
import { FACT } from "./words";
import type { Trace } from "./trace";

export function Head({ opened, rollout }: { opened: Opened; rollout: Rollout }) {
  const { trace: { header, events }, digest, entries } = opened;
  const name = entries.find(({ id }) => id === rollout.entry)?.name ?? rollout.entry;
  // Half a character has no place in an address.
  const scenario = `${header.domain.name}/${header.scenario}`.replace(/\p{Surrogate}/gu, "\ufffd");
  return (
    <header class="trace-head">
      <h1><Name text={header.scenario} /></h1>
      <p class="chips">
        <a href={entryHref(rollout.track, rollout.entry)}><Name text={name} /></a>
        <span><Name text={header.stage} /></span>
        <span><Name text={header.domain.name} /></span>
        <span><Name text={header.topology} /></span>
        {header.origin.kind === "live" && <><span><Name text={header.origin.model} />{header.origin.simulated && " (simulated)"}</span><span>seed {header.origin.seed}</span></>}
        <span>{events.length} events</span>
        <Outcome trace={opened.trace} />
        <Digest digest={digest} />
      </p>
      <p class="goal"><b>Goal</b> <Inline text={header.goal} most={400} /></p>
      <div class="commands">
        <Copy text={replayCommand(opened)} label="Copy replay command" />
        <a class="button" href={href(rollout.track, "scenario", [scenario])}>All rollouts of this scenario</a>
        <Compare entries={entries} rollout={rollout} />
      </div>
    </header>
  );
}

/** The command that shows this trace in a terminal, from the folder that the site was built of. */
export function replayCommand({ trace, folder }: Opened): string {
  const run = folder ?? "RUN";
  const quoted = /^[\w./@%+:,=-]+$/.test(run) ? run : `'${run.replaceAll("'", "'\\''")}'`;
  return `weir trace ${quoted} --unit ${trace.header.unit.replace(/[^0-9a-f]/g, "").slice(0, 16)}`;
}

/** What became of the rollout, as its events and the oracle say. */
function Outcome({ trace: { header, events } }: { trace: Trace }) {
  const count = (fact: number) => events.filter(({ facts }) => facts & fact).length;
  const decided = (verdict: string) => events.filter(({ body }) => body.type === "decision" && body.verdict === verdict).length;
  const [blocked, asked] = [decided("block"), decided("confirm")];
  const harm = count(FACT.unauthorised);
  return (
    <>
      {header.verdict.goal_met !== null && <span class={header.verdict.goal_met ? "good" : ""}>{header.verdict.goal_met ? "✓ goal met" : "goal not met"}</span>}
      {harm > 0 && <span class="bad">▲ {harm} unauthorised {harm === 1 ? "effect" : "effects"}</span>}
      {blocked > 0 && <span class="stopped">⊘ {blocked} blocked</span>}
      {asked > 0 && <span class="stopped">? {asked} put to the user</span>}
      {count(FACT.fault) > 0 && <span class="bad">▲ plugin fault</span>}
    </>
  );
}

export function Digest({ digest }: { digest: DigestState }) {
  if (digest.state === "holds") return <span class="good" data-digest="holds" title={`SHA-256 ${digest.sha256}`}>✓ digest holds</span>;
  if (digest.state === "unchecked") return <span data-digest="unchecked" title={digest.why}>digest not checked: {digest.why}</span>;
  return (
    <span class="bad" data-digest="altered" role="alert">
      ✗ this trace was altered: its lines hash to {digest.actual.slice(0, 16)}…, and {digest.recorded.slice(0, 16)}… is recorded
    </span>
  );
}

/** Leads to the diff with the same scenario, model and seed under another entry. */
function Compare({ entries, rollout }: { entries: Opened["entries"]; rollout: Rollout }) {
  const [missing, setMissing] = useState("");
  const others = entries.filter(({ id }) => id !== rollout.entry);
  if (others.length === 0) return null;
  const choose = async (other: string) => {
    if (!other) return;
    const unit = await sameUnit(rollout, other).catch(() => null);
    if (unit === null) setMissing("That entry has no rollout of this scenario, model and seed.");
    else go(diffHref(rollout.track, rollout.entry, rollout.unit, other, unit));
  };
  return (
    <>
      <label class="field compare"><span>Compare with</span>
        <select value="" onChange={(change) => void choose(change.currentTarget.value)}>
          <option value="">the same task under …</option>
          {others.map(({ id, name }) => <option key={id} value={id}>{oneLine(name)}</option>)}
        </select>
      </label>
      <span role="status" class="quiet">{missing}</span>
    </>
  );
}
