/** The size of an element's inside, kept up to date. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export function useBox(element: RefObject<Element | null>): { width: number; height: number } {
  const [box, set] = useState({ width: 640, height: 480 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const measure = () => set((old) => {
      const [width, height] = [observed.clientWidth, observed.clientHeight];
      // A panel that is hidden keeps the size that it had.
      return width === 0 || (old.width === width && old.height === height) ? old : { width, height };
    });
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    measure();
    return () => observer.disconnect();
  }, []);
  return box;
}
