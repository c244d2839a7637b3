/** Finds entries and scenarios of this benchmark by a part of their names. */
import { useId, useMemo, useRef, useState } from "preact/hooks";
import type { AuthorityBoard, Board, Scenarios, TrackRef } from "../data";
import { load } from "../load";
import { entryHref, href } from "../routes";
import { go } from "../router";

interface Hit { kind: string; text: string; more: string; href: string }

/** Shown at once. */
const MOST = 12;

export function Search({ track }: { track: TrackRef }) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [all, setAll] = useState<{ track: string; hits: Hit[] }>({ track: "", hits: [] });
  const list = useId();
  const wanted = useRef("");
  const input = useRef<HTMLInputElement>(null);

  const fetch = () => {
    if (wanted.current === track.id) return;
    wanted.current = track.id;
    everything(track).then((hits) => setAll({ track: track.id, hits }));
  };
  const hits = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length || all.track !== track.id) return [];
    return all.hits.filter((hit) => words.every((word) => `${hit.text} ${hit.more}`.toLowerCase().includes(word))).slice(0, MOST);
  }, [text, all, track.id]);
  const shown = open && text.trim() !== "";

  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    setOpen(false);
    setText("");
    input.current?.blur();
    go(hit.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, hits.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") choose(hits[at]);
    else if (event.key === "Escape") { setOpen(false); setText(""); input.current?.blur(); }
    else return;
    event.preventDefault();
  };

  return (
    <div class="search" role="search">
      <input id="search" ref={input} type="search" placeholder="Search" aria-label="Search entries and scenarios" title="Search entries and scenarios (/)" autocomplete="off" spellcheck={false}
        list={undefined} role="combobox" aria-autocomplete="list" aria-expanded={shown} aria-controls={list}
        aria-activedescendant={shown && hits[at] ? `${list}-${at}` : undefined} value={text}
        onFocus={() => { fetch(); setOpen(true); }} onBlur={() => setOpen(false)}
        onInput={(event) => { setText(event.currentTarget.value); setAt(0); setOpen(true); fetch(); }} onKeyDown={press} />
      <ul id={list} role="listbox" aria-label="Found" hidden={!shown || !hits.length}>
        {shown && hits.map((hit, index) => (
          <li key={hit.href} id={`${list}-${index}`} role="option" aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()} onClick={() => choose(hit)} onMouseMove={() => setAt(index)}>
            <small>{hit.kind}</small><span>{hit.text}</span><small>{hit.more}</small>
          </li>
        ))}
      </ul>
      {shown && !hits.length && <p class="nothing">{all.track === track.id ? "Nothing of that name." : "Loading names …"}</p>}
      <span class="unseen" role="status">{shown ? `${hits.length === MOST ? "twelve or more" : hits.length} found` : ""}</span>
    </div>
  );
}

/** What can be found. A list that cannot be loaded leaves the other. */
async function everything(track: TrackRef): Promise<Hit[]> {
  const board = load<Board | AuthorityBoard>(`data/${track.id}/board`).then(
    ({ entries }) => entries.map((entry) => ({
      kind: "entry",
      text: entry.name,
      more: "authors" in entry ? entry.authors.join(", ") : entry.model ?? "",
      href: entryHref(track.id, entry.id),
    })),
    () => [],
  );
  const scenarios = load<Scenarios>(`data/${track.id}/scenarios`).then(
    (list) => list.ids.map((id, index) => ({
      kind: "scenario",
      text: id,
      more: list.stages[list.stage[index] ?? -1] ?? "",
      href: href(track.id, "scenario", [id]),
    })),
    () => [],
  );
  return [...(await board), ...(await scenarios)];
}
