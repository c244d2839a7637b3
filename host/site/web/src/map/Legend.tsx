/** Outcomes in colours, letters and words. */
import { LOOKS } from "../outcomes";

export function Legend() {
  return (
    <ul class="legend" aria-label="Outcomes">
      {LOOKS.map(({ outcome, label, letter, what }) => (
        <li key={outcome} title={what}><span class={`swatch o-${outcome}`}>{letter}</span> {label}</li>
      ))}
    </ul>
  );
}
