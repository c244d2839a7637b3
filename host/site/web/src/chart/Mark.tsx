/** A policy's mark, inside a figure or in a line of text. */
import type { Slot } from "./marks";

export function Mark({ slot, x = 0, y = 0, r = 6 }: { slot: Slot; x?: number; y?: number; r?: number }) {
  const look = slot.hollow ? "ring" : "mark";
  // The stroke is in units of the page, whatever the radius.
  return <path class={`${look} ${slot.colour}`} d={slot.path} transform={`translate(${x} ${y}) scale(${r})`} vector-effect="non-scaling-stroke" />;
}

/** The mark as a small picture beside a name; the name says what it is. */
export function Key({ slot }: { slot: Slot }) {
  return <svg class="key" viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true"><Mark slot={slot} r={5.5} /></svg>;
}
