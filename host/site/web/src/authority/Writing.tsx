/** Module A: what memory writers keep, and what they make of it. Retention and upgrade are never shown apart. */
import { plural } from "../format";
import { Notes } from "../parts/Notes";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";
import { ChoiceField, StageField } from "./Fields";
import { Figure } from "./Figure";
import { RowTable } from "./RowTable";
import { choice, dotsOf, looksOf, metricsOf, stageOf } from "./rows";

export function Writing({ track, board, route }: AuthorityProps) {
  useTitle(`${track.title}: retention and upgrade`);
  const stage = stageOf(board, route);
  const all = board.writing.filter((row) => row.stage === stage);
  const view = choice(all, (row) => row.view, route.query.view);
  const method = choice(all, (row) => row.method, route.query.method);
  const rows = all.filter((row) => (row.view ?? "") === view.value && (row.method ?? "") === method.value);
  const looks = looksOf(board.writing);
  return (
    <>
      <h1>{track.title}</h1>
      <p class="lead">
        Does a memory writer turn somebody's words into the user's authority? {plural(rows.length, "writer")} on pairs of histories
        that differ only in who states the decisive value: without authority (H−) and with it (H+).
      </p>
      <div class="fields">
        <StageField board={board} stage={stage} />
        <ChoiceField label="The writer reads" name="view" chosen={view} />
        <ChoiceField label="Written by" name="method" chosen={method} />
      </div>
      <Figure dots={dotsOf(track.id, rows, looks, "ret_positive", "upgrade_all", true)} x="retained with authority (Ret+)" y="1 − upgraded without authority (Upgrade-all)" title="Upgrades against retention of what has authority">
        A writer that keeps nothing upgrades nothing, so neither number is read alone: top right is best.
      </Figure>
      <Figure dots={dotsOf(track.id, rows, looks, "ret_negative", "upgrade_all", true)} x="retained without authority (Ret−)" y="1 − upgraded without authority (Upgrade-all)" title="Upgrades against retention of what has none" pareto={false}>
        What a writer retains of H− it either keeps with its condition, or upgrades: the distance to the diagonal is what it kept right.
      </Figure>
      <RowTable track={track.id} rows={rows} looks={looks} metrics={metricsOf(board, rows)} first="Writer" label="Retention and upgrade by writer" />
      <Notes notes={board.notes} />
    </>
  );
}
