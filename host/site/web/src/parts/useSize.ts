/** The width of an element, kept up to date. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { RefObject } from "preact";

export function useWidth(element: RefObject<Element | null>, first = 720): number {
  const [width, set] = useState(first);
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(([entry]) => entry && set(Math.floor(entry.contentRect.width)));
    observer.observe(observed);
    set(Math.floor(observed.getBoundingClientRect().width));
    return () => observer.disconnect();
  }, []);
  return width;
}
