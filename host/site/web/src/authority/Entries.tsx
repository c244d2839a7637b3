/** The cells of the grid, each with its rollouts; or those that a scenario was run under. */
import { count, short } from "../format";
import { Filter, Select } from "../parts/Select";
import { entryHref, href } from "../routes";
import { setQuery } from "../router";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";

const MODULES: Record<string, string> = { A: "A, writing", B: "B, acting", C: "C, pipeline" };

export function AuthorityEntries({ track, board, route, scenario }: AuthorityProps & { scenario?: string | undefined }) {
  useTitle(scenario ?? `${track.title}: entries`);
  const { module = "", q = "", model = "" } = route.query;
  const words = q.toLowerCase().split(/\s+/);
  const models = [...new Set(board.entries.flatMap((entry) => entry.model ?? []))];
  const list = board.entries.filter((entry) => {
    const text = [entry.name, entry.writer, entry.condition, entry.model, entry.policy].join(" ").toLowerCase();
    return (!module || entry.module === module) && (!model || entry.model === model) && words.every((word) => text.includes(word));
  });
  return (
    <>
      <h1 class={scenario ? "code" : ""}>{scenario ?? "Entries"}</h1>
      <p class="lead">{scenario ? "Each entry was run on this history. Choose one to see its traces." : "Each cell of the grid: a writer, a memory condition or a pipeline arm, with the model that acts."}</p>
      <div class="fields">
        <Select label="Module" value={module} options={[{ value: "", label: "all" }, ...Object.entries(MODULES).map(([value, label]) => ({ value, label }))]} onChange={(value) => setQuery({ module: value })} />
        {models.length > 1 && <Select label="Acting model" value={model} options={[{ value: "", label: "all" }, ...models.map((value) => ({ value, label: value }))]} onChange={(value) => setQuery({ model: value })} />}
        <Filter label="Filter" value={q} onChange={(value) => setQuery({ q: value })} />
      </div>
      <p role="status">{count(list.length)} of {count(board.entries.length)} entries.</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Entries">
        <table>
          <thead><tr><th scope="col">Entry</th><th scope="col">Module</th><th scope="col">Acting model</th><th scope="col">Policy</th><th scope="col" class="n">Rollouts</th><th scope="col" class="n">Faults</th><th scope="col" class="n">Fuel of a decision</th><th scope="col">Traces</th></tr></thead>
          <tbody>
            {list.map((entry) => (
              <tr key={entry.id}>
                <th scope="row"><a href={entryHref(track.id, entry.id)}>{entry.name}</a></th>
                <td>{MODULES[entry.module] ?? entry.module}</td>
                <td>{entry.model ?? <span class="quiet">none acts</span>}</td>
                <td>{entry.policy ?? <span class="quiet">none</span>}</td>
                <td class="n">{count(entry.counts.done)}<small>of {count(entry.counts.planned)}</small></td>
                <td class={`n ${entry.counts.faulted ? "bad" : ""}`}>{count(entry.counts.faulted)}</td>
                <td class="n">{entry.fuel.total > 0 ? <>{short(entry.fuel.median)}<small>p95 {short(entry.fuel.p95)}</small></> : <span class="quiet">N/A</span>}</td>
                <td><a href={href(track.id, "traces", [entry.id], { q: scenario })} aria-label={`Traces of ${entry.name}`}>traces</a></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!scenario && <Plugins board={board} />}
    </>
  );
}

function Plugins({ board }: { board: AuthorityProps["board"] }) {
  if (!board.plugins.length) return null;
  return (
    <>
      <h2>Components</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Components">
        <table>
          <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Version</th><th scope="col">SHA-256</th></tr></thead>
          <tbody>
            {board.plugins.map((plugin) => (
              <tr key={`${plugin.kind}/${plugin.name}`}><th scope="row">{plugin.name}</th><td>{plugin.kind}</td><td>{plugin.version ?? "N/A"}{plugin.builtIn && <small>ships with Weir</small>}</td><td><code>{plugin.digest}</code></td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
