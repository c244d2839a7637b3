/** How to read this site, and its keyboard shortcuts. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TrackRef } from "../data";
import { Fragment } from "preact";
import { SHORTCUTS } from "./keys";

export function Help({ track, close }: { track: TrackRef | undefined; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}
      onClick={(event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
      <div class="within">
        <form method="dialog"><h2 id="help-title">Help</h2><button type="submit">Close</button></form>
        <p>
          Each number stands with its 95 % interval over independent cases{track?.kind === "authority" ? " (bases of a history)" : " (scenarios, of which the seeds are repetitions)"} and
          its denominator. Where no case counts, or every one does, the interval is an exact one-sided bound. <b>N/A</b> means that
          the number does not apply; <b>not discriminative</b> that the run without a defence shows no such event either, so that
          nothing follows from a zero. Ranks are ranges, since the cases could have been others.
        </p>
        <p>The address holds every filter and selection: copy it to share what you see.</p>
        <h3>Keyboard</h3>
        {SHORTCUTS.map(({ where, keys }) => (
          <Fragment key={where}>
            <h4>{where}</h4>
            <dl class="keys">
              {keys.map((shortcut) => (
                <div key={shortcut.what}>
                  <dt>{shortcut.keys.map((key) => key === "…" ? " … " : <kbd key={key}>{key}</kbd>)}</dt>
                  <dd>{shortcut.what}</dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
      </div>
    </dialog>
  );
}
