/** A point of a figure that can be hovered, reached by keyboard and, where it leads somewhere, followed. */
import type { ComponentChildren } from "preact";

export function Point({ href, label, look = "", point, children }: {
  href: string | undefined;
  label: string;
  look?: string;
  /** Told when the pointer or the focus comes and goes. */
  point?: (on: boolean) => void;
  children: ComponentChildren;
}) {
  const on = () => point?.(true);
  const off = () => point?.(false);
  if (href === undefined) {
    return <g class={`dot ${look}`} tabIndex={0} role="img" aria-label={label} onMouseEnter={on} onFocus={on} onBlur={off}>{children}</g>;
  }
  return <a class={`dot ${look}`} href={href} aria-label={label} onMouseEnter={on} onFocus={on} onBlur={off}>{children}</a>;
}
