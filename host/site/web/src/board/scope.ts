/** Which part of a board is looked at: domain and model, out of the address. */
import type { Board, Cell, Metric } from "../data";
import type { Option } from "../parts/Select";
import type { Route } from "../routes";

export interface Scope { domain: string | null; model: string }

/** What the address asks for, if the board has it. */
export function scopeOf(board: Board, route: Route): Scope {
  const domain = board.domains.find((one) => one === route.query.domain) ?? null;
  const model = board.models.find(({ name }) => name === route.query.model)?.name ?? board.models[0]?.name ?? "";
  return { domain, model };
}

export function cellOf(board: Board, stage: string, { domain, model }: Scope): Cell | undefined {
  return board.cells.find((cell) => cell.stage === stage && cell.domain === domain && cell.model === model);
}

export function metricOf(board: Board, name: string): Metric {
  return board.metrics.find((metric) => metric.name === name) ?? { name, title: name, better: "neither", description: "", stages: [] };
}

export function stageTitle(board: Board, id: string): string {
  return board.stages.find((stage) => stage.id === id)?.title ?? id;
}

export function domainOptions(board: Board): Option[] {
  return [{ value: "", label: "all" }, ...board.domains.map((domain) => ({ value: domain, label: domain }))];
}

/** A simulated model says so wherever it is named. */
export function modelLabel(model: { name: string; simulated: boolean }): string {
  return model.simulated ? `${model.name} (simulated)` : model.name;
}

export function modelOptions(board: { models: Board["models"] }): Option[] {
  return board.models.map((model) => ({ value: model.name, label: modelLabel(model) }));
}
