/**
 * Text that somebody else wrote, on its way to a reader's eyes: characters that nobody sees, or that turn what stands beside them
 * around, become their numbers. host/metadata/src/text.rs names the same characters.
 */

/** Controls, marks of direction, characters of no width, variation selectors, tags and noncharacters; line ends and tabs are not. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}\ufdd0-\ufdef\p{Noncharacter_Code_Point}]|\p{Surrogate}/gu;

/** One such character as something to see: `\u202E`. Unicode's pictures of controls are in few fonts. */
function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}

/** A piece of a text, which is shown as it is or as an escape. */
export interface Piece { text: string; hidden: boolean }

/** A text in pieces, with its line ends. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    // A carriage return before a line feed is how half of the world ends its lines.
    if (match[0] === "\r" && text[match.index + 1] === "\n") continue;
    if (match.index > from) out.push({ text: text.slice(from, match.index), hidden: false });
    out.push({ text: escape(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), hidden: false });
  return out;
}

/** A text on one line: for names, attributes and lists. */
export function oneLine(text: string): string {
  return pieces(text).map((piece) => (piece.hidden ? piece.text : piece.text.replace(/[\r\n\t]+/g, " "))).join("");
}

/** At most so many characters, the dots of a cut included; never cut within one. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 2] ?? "") ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** A line of JSON over several lines; what is no JSON stays as it is. Numbers that are no exact ones in a page stay too. */
export function visibleJson(line: string): string {
  if (/[:[,]-?\d{16,}/.test(line)) return line;
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}
