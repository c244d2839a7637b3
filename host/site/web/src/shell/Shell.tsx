/** The frame around every view: title, tracks, views, search, theme and help. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Site } from "../data";
import { Loaded } from "../parts/Loaded";
import { href } from "../routes";
import { useRoute } from "../router";
import { rememberScroll, returnTo } from "./scroll";
import { Tracks } from "./Tracks";
import { ErrorBoundary } from "./ErrorBoundary";
import { Help } from "./Help";
import { useShortcuts } from "./keys";
import { Search } from "./Search";
import { ThemeSwitch } from "./theme";
import { Track } from "./Track";

export function Shell() {
  return <Loaded<Site> name="data/site" what="table of contents">{(site) => <Frame site={site} />}</Loaded>;
}

function Frame({ site }: { site: Site }) {
  const route = useRoute();
  const [help, showHelp] = useState(false);
  const main = useRef<HTMLElement>(null);
  const track = site.tracks.find(({ id }) => id === route.track) ?? (route.track === null ? site.tracks[0] : undefined);
  const place = [track?.id, route.view, ...route.args].join("/");
  const arrived = useRef(place);

  // A new view begins at its top, one that the reader comes back to where it was left; the keyboard and a screen reader begin there.
  useEffect(() => {
    if (arrived.current === place) return;
    arrived.current = place;
    main.current?.focus({ preventScroll: true });
    return returnTo();
  }, [place]);
  useEffect(rememberScroll, []);
  useShortcuts(track, () => showHelp(true));

  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>Skip to the content</a>
      <header class="top">
        <div class="bar">
          <a class="brand" href={href(site.tracks[0]?.id ?? null)}>
            <svg viewBox="0 0 22 16" width="22" height="16" aria-hidden="true"><path d="M1 4h8v8h12" /><path class="fall" d="M1 8h4v7h16" /></svg>
            <span>{site.title}</span>
          </a>
          <Tracks tracks={site.tracks} current={track?.id} />
          <div class="tools">
            {track && <Search track={track} />}
            <ThemeSwitch />
            <button type="button" class="icon" aria-label="Help and keyboard shortcuts" title="Help and keyboard shortcuts (?)" onClick={() => showHelp(true)}>?</button>
          </div>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={place}>
          {track ? <Track site={site} track={track} route={route} /> : <NoTrack site={site} name={route.track} />}
        </ErrorBoundary>
      </main>
      <footer>
        Built by Weir {site.weir}{site.kind === "run" ? " from a run that nobody submitted." : "."} Every decision in every trace can be
        executed again without a model; an entry's page has the commands.
      </footer>
      {help && <Help track={track} close={() => showHelp(false)} />}
    </>
  );
}

function NoTrack({ site, name }: { site: Site; name: string | null }) {
  if (!site.tracks.length) return <><h1>Nothing here yet</h1><p>This site has no tracks.</p></>;
  return (
    <>
      <h1>There is no such page</h1>
      <p>This site has no benchmark of the name “{name}”. It has:</p>
      <ul>{site.tracks.map(({ id, title }) => <li key={id}><a href={href(id)}>{title}</a></li>)}</ul>
    </>
  );
}
