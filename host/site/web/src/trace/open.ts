/** Loads a trace with what the site knows beside it, and finds the same rollout under another entry. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AuthorityBoard, AuthorityUnits, Board, Metric, Toolsets, Units, Values } from "../data";
import { load } from "../load";
import { bytesOf, checkDigest, decode, type DigestState } from "./decode";
import type { Trace } from "./trace";

export interface Rollout { track: string; entry: string; unit: number }

/** What a trace's view rests on. */
export interface Opened {
  trace: Trace;
  digest: DigestState;
  /** What reducers measure; empty on an authority track, whose units have no such values. */
  metrics: Metric[];
  entries: EntryRef[];
  /** The entry's run folder, as commands name it; null where the board does not list the entry. */
  folder: string | null;
}

/** An entry, as far as traces need it. */
export interface EntryRef { id: string; name: string; folder: string }

/** Files that hold a trace and what is beside it. */
async function open({ track, entry, unit }: Rollout): Promise<Opened> {
  const [frame, toolsets, board, units] = await Promise.all([
    load<string>(`traces/${track}/${entry}/${unit}`),
    load<Toolsets>(`data/${track}/tools`),
    load<Board | AuthorityBoard>(`data/${track}/board`),
    load<Units | AuthorityUnits>(`data/${track}/${entry}/units`),
  ]);
  const trace = decode(bytesOf(frame), toolsets);
  const entries = board.entries.map(({ id, name, folder }) => ({ id, name, folder }));
  return {
    trace,
    digest: await checkDigest(trace, units.trace[unit]),
    metrics: "cells" in board ? board.metrics : [],
    entries,
    folder: entries.find(({ id }) => id === entry)?.folder ?? null,
  };
}

/** Rollouts on their way into a view: null while they load, or what failed. */
export function useRollouts(rollouts: Rollout[]): Opened[] | { failed: string } | null {
  const name = rollouts.map(({ track, entry, unit }) => `${track}/${entry}/${unit}`).join(" ");
  const [state, set] = useState<{ name: string; value: Opened[] | { failed: string } } | null>(null);
  useEffect(() => {
    let current = true;
    Promise.all(rollouts.map(open)).then(
      (value) => current && set({ name, value }),
      (error: unknown) => current && set({ name, value: { failed: error instanceof Error ? error.message : String(error) } }),
    );
    return () => {
      current = false;
    };
  }, [name]);
  return useMemo(() => (state?.name === name ? state.value : null), [state, name]);
}

/** Measured values that apply to a unit, by metric. The file is large, so that no trace waits for it. */
export async function valuesOf({ track, entry, unit }: Rollout): Promise<Record<string, number>> {
  const values = await load<Values>(`data/${track}/${entry}/values`);
  return Object.fromEntries(Object.entries(values).flatMap(([name, all]) => {
    const value = all[unit];
    return typeof value === "number" ? [[name, value] as const] : [];
  }));
}

/**
 * The unit of the same scenario, model and seed under another entry; null where it has none. An entry of an authority track has
 * one model, which its units do not name.
 */
export async function sameUnit({ track, entry, unit }: Rollout, other: string): Promise<number | null> {
  const [own, others] = await Promise.all([entry, other].map((id) => load<Units | AuthorityUnits>(`data/${track}/${id}/units`)));
  if (!own || !others) return null;
  const model = (units: Units | AuthorityUnits, at: number) => ("model" in units ? units.model[at] : 0);
  const found = others.scenario.findIndex((scenario, at) =>
    scenario === own.scenario[unit] && others.seed[at] === own.seed[unit] && model(others, at) === model(own, unit));
  return found < 0 ? null : found;
}
