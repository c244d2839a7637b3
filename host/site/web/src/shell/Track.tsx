/** One benchmark: its navigation and the view that the address names. */
import type { AuthorityBoard, Board, Site, TrackRef } from "../data";
import { Loaded } from "../parts/Loaded";
import { Tabs } from "../parts/Tabs";
import { href, type Route } from "../routes";
import { AuthorityView } from "../authority";
import { BoardView } from "../board";
import { DiffView, TraceView } from "../trace";
import { setSiteTitle } from "./useTitle";
import { viewsOf } from "./views";

export function Track({ site, track, route }: { site: Site; track: TrackRef; route: Route }) {
  setSiteTitle(site.title);
  const views = viewsOf(track);
  const tabs = views.map(({ id, title }) => ({ id, label: title, href: href(track.id, id) }));
  return (
    <>
      <Tabs tabs={tabs} current={route.view} label={`Views of ${track.title}`} />
      <View track={track} route={route} />
    </>
  );
}

function View({ track, route }: { track: TrackRef; route: Route }) {
  const [first, second, third, fourth] = route.args;
  if (route.view === "trace" && first !== undefined && isUnit(second)) {
    const event = isUnit(route.query.event) ? Number(route.query.event) : null;
    return <TraceView key={`${first}/${second}`} track={track.id} entry={first} unit={Number(second)} event={event} />;
  }
  if (route.view === "diff" && first !== undefined && isUnit(second) && third !== undefined && isUnit(fourth)) {
    return <DiffView key={route.args.join("/")} track={track.id} a={{ entry: first, unit: Number(second) }} b={{ entry: third, unit: Number(fourth) }} />;
  }
  const name = `data/${track.id}/board`;
  if (track.kind === "authority") {
    return <Loaded<AuthorityBoard> name={name} what="results">{(board) => <AuthorityView track={track} board={board} route={route} />}</Loaded>;
  }
  return <Loaded<Board> name={name} what="results">{(board) => <BoardView track={track} board={board} route={route} />}</Loaded>;
}

function isUnit(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,9}$/.test(text);
}
