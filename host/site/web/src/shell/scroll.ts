/** Where the reader was in a view, kept in the browser's history so that "back" leads there. */

/** How long a view may take to become as tall as it was, in milliseconds. */
const PATIENCE = 1500;
/** Scrolling is over when none came for so long. */
const PAUSE = 120;

/** Keeps the place of the step of the history that is shown; returns what ends that. */
export function rememberScroll(): () => void {
  let timer = 0;
  const keep = () => history.replaceState({ ...history.state, top: Math.round(scrollY) }, "");
  const scrolled = () => {
    clearTimeout(timer);
    timer = window.setTimeout(keep, PAUSE);
  };
  // What is still to be kept belongs to the view that is left.
  const left = () => clearTimeout(timer);
  addEventListener("scroll", scrolled, { passive: true });
  addEventListener("hashchange", left);
  return () => {
    left();
    removeEventListener("scroll", scrolled);
    removeEventListener("hashchange", left);
  };
}

/** Scrolls to where the view was left, as soon as it is that tall; to the top of a new one. */
export function returnTo(): () => void {
  const top = Number(history.state?.top ?? 0);
  const since = performance.now();
  let frame = 0;
  const attempt = () => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) > 1 && performance.now() - since < PATIENCE) frame = requestAnimationFrame(attempt);
  };
  attempt();
  return () => cancelAnimationFrame(frame);
}
