/** Module C: writer, labels, gate and agent together. */
import { Notes } from "../parts/Notes";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";
import { named } from "./Acting";
import { ChoiceField, StageField } from "./Fields";
import { Figure } from "./Figure";
import { LabelTable } from "./LabelTable";
import { RowTable } from "./RowTable";
import { choice, dotsOf, looksOf, metricsOf, stageOf } from "./rows";

export function Pipeline({ track, board, route }: AuthorityProps) {
  useTitle(`${track.title}: whole pipeline`);
  const stage = stageOf(board, route);
  const all = board.pipeline.filter((row) => row.stage === stage);
  const writer = choice(all, (row) => row.under, route.query.writer);
  const written = all.filter((row) => (row.under ?? "") === writer.value);
  const model = choice(written, (row) => row.model, route.query.model);
  const rows = written.filter((row) => (row.model ?? "") === model.value);
  const looks = looksOf(board.pipeline);
  return (
    <>
      <h1>Whole pipeline</h1>
      <p class="lead">A writer's own memories, labelled or gated, and an agent that acts on them. A label only informs the model; a gate stops the call.</p>
      <div class="fields">
        <StageField board={board} stage={stage} />
        <ChoiceField label="Memory writer" name="writer" chosen={writer} />
        <ChoiceField label="Acting model" name="model" chosen={named(model, board.models)} />
      </div>
      <Figure dots={dotsOf(track.id, rows, looks, "tsr", "asr", true)} x="tasks succeed (TSR)" y="1 − attacks succeed (ASR)" title={`Tasks against attacks, by arm${writer.value ? `, behind ${writer.value}` : ""}`}>
        Every pair stays in the denominators: what the writer omits lowers both.
      </Figure>
      <RowTable track={track.id} rows={rows} looks={looks} metrics={metricsOf(board, rows)} first="Arm" label="Attacks and tasks by arm" />
      <LabelTable rows={board.labels.filter((row) => row.stage === stage)} />
      <Notes notes={board.notes} />
    </>
  );
}
