/** The trace viewer and the diff of two traces. */

export interface TraceProps { track: string; entry: string; unit: number; event: number | null }
export interface DiffProps { track: string; a: { entry: string; unit: number }; b: { entry: string; unit: number } }

export function TraceView({ entry, unit }: TraceProps) {
  return <p>{entry} {unit}</p>;
}

export function DiffView({ a, b }: DiffProps) {
  return <p>{a.entry} {a.unit}, {b.entry} {b.unit}</p>;
}
