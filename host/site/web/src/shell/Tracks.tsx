/** The benchmarks of a site: side by side where they fit, else in a list. */
import type { TrackRef } from "../data";
import { href } from "../routes";
import { go } from "../router";

/** More of them have no room beside each other. */
const BESIDE = 4;

export function Tracks({ tracks, current }: { tracks: readonly TrackRef[]; current: string | undefined }) {
  if (tracks.length < 2) return null;
  if (tracks.length > BESIDE) {
    return (
      <select class="tracks" aria-label="Benchmark" value={current ?? ""} onChange={(event) => go(href(event.currentTarget.value))}>
        {current === undefined && <option value="">choose a benchmark</option>}
        {tracks.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
      </select>
    );
  }
  return (
    <nav class="tracks" aria-label="Benchmarks">
      {tracks.map(({ id, title }) => (
        <a key={id} href={href(id)} title={title} aria-current={id === current ? "true" : undefined}>{title}</a>
      ))}
    </nav>
  );
}
