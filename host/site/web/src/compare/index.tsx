/** Two entries on the same scenarios and seeds: what changes from A to B, and where. */
import type { Board, Pairs } from "../data";
import { Key } from "../chart/Mark";
import { slots } from "../chart/marks";
import { Badge } from "../parts/Badge";
import { Loaded } from "../parts/Loaded";
import { Choice, Select } from "../parts/Select";
import { modelOptions, scopeOf } from "../board/scope";
import { estimateText } from "../format";
import { entryHref } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { BoardProps } from "../board";
import { Discordants } from "./Discordants";
import { pairOf } from "./orient";
import { Stages } from "./Stages";

export function Compare(props: BoardProps) {
  const { track, board, route } = props;
  const [a, b] = chosen(board, route.query.a, route.query.b);
  const [left, right] = [board.entries[a], board.entries[b]];
  useTitle(left && right ? `${left.name} against ${right.name}` : `${track.title}: comparison`);
  if (!left || !right) {
    return <><h1>Compare</h1><p>A comparison takes two entries; this benchmark has {board.entries.length}.</p></>;
  }
  const { model } = scopeOf(board, route);
  const fixed = route.query.denominator === "fixed";
  const options = board.entries.map(({ id, name }) => ({ value: id, label: name }));
  const looks = slots(board.entries.map(({ name }) => name));
  return (
    <>
      <h1>Compare</h1>
      <p class="lead">Each rollout of A is set against the one of B with the same scenario, model and seed; differences are B − A, with 95 % intervals over scenarios.</p>
      <div class="fields versus">
        <Select label="A" value={left.id} options={options} onChange={(id) => setQuery({ a: id, b: right.id })} />
        <button type="button" class="swap" aria-label="Swap A and B" title="Swap A and B" onClick={() => setQuery({ a: right.id, b: left.id })}>⇄</button>
        <Select label="B" value={right.id} options={options} onChange={(id) => setQuery({ a: left.id, b: id })} />
        {board.models.length > 1 && <Select label="Model" value={model} options={modelOptions(board)} onChange={(value) => setQuery({ model: value })} />}
        <Choice label="Denominator of spread" value={fixed ? "fixed" : ""} options={[{ value: "", label: "realised" }, { value: "fixed", label: "fixed maximum" }]} onChange={(denominator) => setQuery({ denominator })} />
      </div>
      <dl class="sides">
        {[left, right].map((entry, side) => (
          <div key={side}>
            <dt>{side ? "B" : "A"}</dt>
            <dd><span class="name">{slotAt(looks, side ? b : a)}<a href={entryHref(track.id, entry.id)}>{entry.name}</a></span> <Badge kind={entry.badge} /></dd>
          </div>
        ))}
      </dl>
      {a === b ? <p class="empty">A and B are the same entry. Choose another.</p> : (
        <Loaded<Pairs> name={`data/${track.id}/pairs`} what="comparisons">
          {({ pairs }) => {
            const pair = pairOf(pairs, a, b, model);
            if (!pair) return <p class="empty">The two have no rollout of this model in common.</p>;
            return (
              <>
                <p>
                  <b>Same endpoints, another trajectory:</b> {estimateText(pair.divergence ?? undefined)} of matched rollouts end alike
                  and went another way.
                </p>
                <Stages board={board} pair={pair} fixed={fixed} />
                <Discordants {...props} a={left} b={right} model={board.models.findIndex(({ name }) => name === model)} />
              </>
            );
          }}
        </Loaded>
      )}
    </>
  );
}

function slotAt(looks: ReturnType<typeof slots>, index: number) {
  const slot = looks[index];
  return slot ? <Key slot={slot} /> : null;
}

/** What the address names; else the first baseline against the first entry that is none. */
function chosen(board: Board, a: string | undefined, b: string | undefined): [number, number] {
  const named = (id: string | undefined) => board.entries.findIndex((entry) => entry.id === id);
  const base = Math.max(0, board.entries.findIndex(({ baseline }) => baseline));
  const first = named(a) >= 0 ? named(a) : named(b) === base ? board.entries.findIndex((_, index) => index !== base) : base;
  if (named(b) >= 0) return [first, named(b)];
  const challenger = board.entries.findIndex(({ baseline }, index) => !baseline && index !== first);
  return [first, challenger >= 0 ? challenger : board.entries.findIndex((_, index) => index !== first)];
}
