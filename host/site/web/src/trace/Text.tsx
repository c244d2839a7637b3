/** Text of a trace. It is hostile by definition: it only ever becomes text nodes, and cannot turn around what stands beside it. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useState } from "preact/hooks";
import { count } from "../format";
import { oneLine, pieces, shorten } from "./visible";

/** What is marked in every text of a view: the trace's canaries and the reader's search. */
export interface Marked { canaries: readonly string[]; found: readonly string[] }
export const Marks = createContext<Marked>({ canaries: [], found: [] });

/** Characters that are shown of a long text at first. */
const FIRST = 2400;

/** A text as it is, with its line ends. */
export function Text({ text, what = "text" }: { text: string; what?: string }) {
  const [all, showAll] = useState(false);
  const cut = !all && text.length > FIRST + 200;
  if (text === "") return <p class="quiet">no {what}</p>;
  // The keyboard stops where there may be something to scroll.
  const long = text.length > 700 || text.split("\n", 16).length > 15;
  return (
    <div class="said">
      <pre tabIndex={long ? 0 : undefined} role={long ? "group" : undefined} aria-label={long ? what : undefined}><bdi><Pieces text={cut ? shorten(text, FIRST) : text} /></bdi></pre>
      {cut && <button type="button" onClick={() => showAll(true)}>Show all {count(text.length)} characters</button>}
    </div>
  );
}

/** A short text within a line. */
export function Inline({ text, most = 200 }: { text: string; most?: number }) {
  return <bdi><Pieces text={shorten(text, most).replace(/[\r\n\t]+/g, " ")} /></bdi>;
}

/** A name, of which all is shown. */
export function Name({ text }: { text: string }) {
  return <bdi>{oneLine(text)}</bdi>;
}

function Pieces({ text }: { text: string }): ComponentChildren {
  const { canaries, found } = useContext(Marks);
  const marks = [...canaries.filter(Boolean).map((needle) => ({ needle, canary: true })), ...found.filter(Boolean).map((needle) => ({ needle, canary: false }))];
  const out: ComponentChildren[] = [];
  for (const { part, mark } of split(text, marks)) {
    const shown = pieces(part).map((piece, index) => (piece.hidden ? <span key={index} class="escape" title="a character that cannot be seen">{piece.text}</span> : piece.text));
    if (mark === undefined) out.push(...shown);
    else if (mark) out.push(<mark class="canary" title="a canary: a synthetic secret">{shown}</mark>);
    else out.push(<mark>{shown}</mark>);
  }
  return <>{out}</>;
}

/** A text cut at what is marked in it, whatever its case; of two that begin at one place the longer holds. */
function split(text: string, marks: { needle: string; canary: boolean }[]): { part: string; mark?: boolean }[] {
  if (marks.length === 0) return [{ part: text }];
  const sorted = [...marks].sort((a, b) => b.needle.length - a.needle.length);
  const pattern = new RegExp(sorted.map(({ needle }) => needle.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")).join("|"), "gi");
  const canaries = new Set(sorted.flatMap(({ needle, canary }) => (canary ? [needle.toLowerCase()] : [])));
  const out: { part: string; mark?: boolean }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) out.push({ part: text.slice(from, match.index) });
    out.push({ part: match[0], mark: canaries.has(match[0].toLowerCase()) });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ part: text.slice(from) });
  return out;
}
