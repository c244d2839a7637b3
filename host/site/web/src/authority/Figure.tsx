/** A scatter of rows, with what it shows said above it. */
import type { ComponentChildren } from "preact";
import { Scatter, type Dot } from "../chart/Scatter";

export function Figure({ dots, x, y, title, children, pareto = true }: { dots: readonly Dot[]; x: string; y: string; title: string; children: ComponentChildren; pareto?: boolean }) {
  return (
    <figure>
      <figcaption><strong>{title}</strong>{children}</figcaption>
      {dots.length ? <Scatter dots={dots} x={x} y={y} whole pareto={pareto} label={title} /> : <p class="empty">Nothing has both numbers here.</p>}
      <p class="under">Bars are 95 % intervals over bases; a dashed bar is an exact one-sided bound.{pareto && " The dashed line joins what nothing is better than; the rest is faded."}</p>
    </figure>
  );
}
