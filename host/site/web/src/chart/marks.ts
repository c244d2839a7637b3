/**
 * One look for each policy, the same as in Weir's reports: a colour of Okabe and Ito's palette, which the colour-blind can tell
 * apart, and a shape that remains without colour.
 */

/** The defences of ContainmentBench table 8, which always have the same look. */
const KNOWN = ["none", "prompt-only", "structured-guard", "tool-boundary", "taint-only", "intent-ledger", "rollback"];
const LOOKS = 7;

/** A place in the palette. Up to 49 of them look different. */
export interface Slot {
  /** Class of the style sheet that sets the colour, `--c`. */
  colour: string;
  /** An outline around 0, 0 with a radius of about 1. */
  path: string;
  hollow: boolean;
}

const PATHS = [
  "M1,0A1,1 0 1 1 -1,0A1,1 0 1 1 1,0Z",
  "M-.9,-.9L.9,-.9L.9,.9L-.9,.9Z",
  "M0,-1.25L1.25,0L0,1.25L-1.25,0Z",
  "M0,-1.15L1.1,.85L-1.1,.85Z",
  "M0,1.15L1.1,-.85L-1.1,-.85Z",
  "M-.4,-1.15L.4,-1.15L.4,-.4L1.15,-.4L1.15,.4L.4,.4L.4,1.15L-.4,1.15L-.4,.4L-1.15,.4L-1.15,-.4L-.4,-.4Z",
  "M.85,0A.85,.85 0 1 1 -.85,0A.85,.85 0 1 1 .85,0Z",
];

/** A slot for each name in the order given: its own for a known one, the next free one for another. */
export function slots(names: readonly string[]): Slot[] {
  let next = KNOWN.length;
  return names.map((name) => {
    const known = KNOWN.indexOf(name);
    return slot(known >= 0 ? known : next++);
  });
}

function slot(index: number): Slot {
  // Shifted by one with each turn through the colours, so that no pair of colour and shape comes twice.
  const shape = (index + Math.floor(index / LOOKS)) % LOOKS;
  return { colour: `p${index % LOOKS}`, path: PATHS[shape] ?? "", hollow: shape === LOOKS - 1 };
}
