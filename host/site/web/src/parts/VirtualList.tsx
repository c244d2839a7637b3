/** A long list of rows of one height, of which only those in sight are in the page. */
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows above and below the window, so that a quick scroll shows no gap. */
const SPARE = 8;

export function VirtualList<T>({ items, rowHeight, height, label, selected, render, itemKey }: {
  items: readonly T[];
  /** Pixels. */
  rowHeight: number;
  /** Of the window, in pixels. A list that is shorter takes less. */
  height: number;
  label: string;
  /** The row to keep in sight. */
  selected?: number;
  render: (item: T, index: number) => ComponentChildren;
  itemKey: (item: T, index: number) => string | number;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const shown = Math.min(height, items.length * rowHeight);
  useEffect(() => {
    const element = box.current;
    if (!element || selected === undefined || selected < 0) return;
    const at = selected * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = at + rowHeight - element.clientHeight;
  }, [selected, rowHeight, shown]);
  // A filter may leave the list shorter than where the reader was.
  useLayoutEffect(() => setTop(box.current?.scrollTop ?? 0), [items.length]);
  // Where a filter has just made the list shorter, the place of before may lie behind its end.
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), items.length - Math.ceil(shown / rowHeight)) - SPARE);
  const last = Math.min(items.length, Math.ceil((top + shown) / rowHeight) + SPARE);
  return (
    <div class="virtual" ref={box as Ref<HTMLDivElement>} tabIndex={0} role="list" aria-label={label}
      style={{ height: `${shown}px` }} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
      {items.slice(first, last).map((item, offset) => {
        const index = first + offset;
        return (
          <div key={itemKey(item, index)} role="listitem" aria-setsize={items.length} aria-posinset={index + 1} style={{ height: `${rowHeight}px` }}>
            {render(item, index)}
          </div>
        );
      })}
      <div role="presentation" style={{ height: `${(items.length - last) * rowHeight}px` }} />
    </div>
  );
}
