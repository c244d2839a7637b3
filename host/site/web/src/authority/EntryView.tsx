/** A cell of the grid: what it is, what was run, and how to check it. */
import type { AuthorityEntry, EntryPage } from "../data";
import { Details } from "../entry/Details";
import { count, short } from "../format";
import { Loaded } from "../parts/Loaded";
import { href } from "../routes";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";

export function AuthorityEntryView({ track, entry }: AuthorityProps & { entry: AuthorityEntry }) {
  useTitle(entry.name);
  const facts: [string, string | null][] = [
    ["Module", entry.module], ["Memory writer", entry.writer], ["Reads", entry.view], ["Written by", entry.method],
    ["Condition or arm", entry.condition], ["Acting model", entry.model], ["Policy", entry.policy],
    ["Rollouts", `${count(entry.counts.done)} of ${count(entry.counts.planned)}`],
    ["With a fault", count(entry.counts.faulted)], ["With an invalid action", count(entry.counts.invalid)],
    ["Fuel of a decision", entry.fuel.total > 0 ? `median ${short(entry.fuel.median)}, p95 ${short(entry.fuel.p95)}` : null],
  ];
  return (
    <>
      <h1>{entry.name}</h1>
      <dl class="facts">{facts.map(([name, value]) => value === null ? null : <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      <p class="buttons"><a class="button" href={href(track.id, "traces", [entry.id])}>All traces</a></p>
      <Loaded<EntryPage> name={`data/${track.id}/run`} what="run's page">
        {(page) => <Details page={page} stage={(id) => id} />}
      </Loaded>
    </>
  );
}
