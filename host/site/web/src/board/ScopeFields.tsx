/** Choices of domain and model, where there is one. */
import type { Board } from "../data";
import { Select } from "../parts/Select";
import { setQuery } from "../router";
import { domainOptions, modelOptions, type Scope } from "./scope";

export function ScopeFields({ board, scope, domains = true }: { board: Board; scope: Scope; domains?: boolean }) {
  return (
    <>
      {domains && board.domains.length > 1 && (
        <Select label="Domain" value={scope.domain ?? ""} options={domainOptions(board)} onChange={(domain) => setQuery({ domain })} />
      )}
      {board.models.length > 1 && (
        <Select label="Model" value={scope.model} options={modelOptions(board)} onChange={(model) => setQuery({ model })} />
      )}
    </>
  );
}
