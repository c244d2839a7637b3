/** The views of a track that its navigation lists. */
import type { TrackRef } from "../data";

export interface ViewRef { id: string; title: string }

const VIEWS: Record<TrackRef["kind"], readonly ViewRef[]> = {
  containment: [
    { id: "", title: "Trade-off" },
    { id: "table", title: "Ranking" },
    { id: "compare", title: "Compare" },
    { id: "map", title: "Scenario map" },
  ],
  authority: [
    { id: "", title: "Retention and upgrade" },
    { id: "acting", title: "Acting on memory" },
    { id: "pipeline", title: "Whole pipeline" },
    { id: "entries", title: "Entries" },
  ],
};

export function viewsOf(track: TrackRef): readonly ViewRef[] {
  return VIEWS[track.kind];
}
