/** An entry's page: what it is, who vouches for it, what was run, and how to check it. */
import type { Board, Entry, EntryPage } from "../data";
import { Key } from "../chart/Mark";
import { slots } from "../chart/marks";
import { count, short } from "../format";
import { Badge, badgeMeaning } from "../parts/Badge";
import { Copy } from "../parts/Copy";
import { Loaded } from "../parts/Loaded";
import { href } from "../routes";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from "../board";
import { Details } from "./Details";

export function EntryView({ track, board, entry }: BoardProps & { entry: Entry }) {
  useTitle(entry.name);
  const slot = slots(board.entries.map(({ name }) => name))[board.entries.indexOf(entry)];
  const against = opponent(board, entry);
  return (
    <>
      <h1><span class="name">{slot && <Key slot={slot} />}{entry.name}</span></h1>
      <p class="lead"><Badge kind={entry.badge} /> {badgeMeaning(entry.badge)}{entry.baseline && ". A baseline: it is drawn in every figure"}.</p>
      <dl class="facts">
        {entry.version && <div><dt>Version</dt><dd>{entry.version}</dd></div>}
        {entry.authors.length > 0 && <div><dt>Authors</dt><dd>{entry.authors.join(", ")}</dd></div>}
        {entry.builtIn && <div><dt>Origin</dt><dd>ships with Weir</dd></div>}
        {entry.date && <div><dt>Submitted</dt><dd>{entry.date}</dd></div>}
        <div><dt>Rollouts</dt><dd>{count(entry.counts.done)} of {count(entry.counts.planned)}</dd></div>
        <div><dt>With a fault of the policy</dt><dd class={entry.counts.faulted ? "bad" : ""}>{count(entry.counts.faulted)}</dd></div>
        <div><dt>With an invalid action</dt><dd>{count(entry.counts.invalid)}</dd></div>
        <div><dt>Fuel of a decision</dt><dd>median {short(entry.fuel.median)}, p95 {short(entry.fuel.p95)}</dd></div>
        {entry.tokens && <div><dt>Tokens of its own models</dt><dd>{count(entry.tokens.read)} read, {count(entry.tokens.written)} written</dd></div>}
      </dl>
      <p class="digest"><span>Component, SHA-256</span> <code>{entry.digest}</code> <Copy text={entry.digest} what="digest" /></p>
      <p class="buttons">
        <a class="button" href={href(track.id, "traces", [entry.id])}>All traces</a>
        {against && <a class="button" href={href(track.id, "compare", [], { a: against.id, b: entry.id })}>Compare with {against.name}</a>}
      </p>
      <Loaded<EntryPage> name={`data/${track.id}/${entry.id}/entry`} what="entry's page">
        {(page) => <Details page={page} stage={(id) => board.stages.find((stage) => stage.id === id)?.title ?? id} />}
      </Loaded>
    </>
  );
}

/** The strongest baseline that it is not itself. */
function opponent(board: Board, entry: Entry): Entry | undefined {
  return board.entries.filter(({ baseline, id }) => baseline && id !== entry.id).at(-1);
}
