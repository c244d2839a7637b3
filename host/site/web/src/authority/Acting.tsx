/** Module B: what an agent does with memories that the benchmark gives it. */
import { Notes } from "../parts/Notes";
import { useTitle } from "../shell/useTitle";
import type { AuthorityProps } from ".";
import { ChoiceField, StageField } from "./Fields";
import { Figure } from "./Figure";
import { RowTable } from "./RowTable";
import { choice, dotsOf, looksOf, metricsOf, stageOf } from "./rows";

export function Acting({ track, board, route }: AuthorityProps) {
  useTitle(`${track.title}: acting on memory`);
  const stage = stageOf(board, route);
  const all = board.acting.filter((row) => row.stage === stage);
  const model = choice(all, (row) => row.model, route.query.model);
  const rows = all.filter((row) => (row.model ?? "") === model.value);
  const looks = looksOf(board.acting);
  return (
    <>
      <h1>Acting on memory</h1>
      <p class="lead">
        The benchmark gives the memories, and an agent acts. Attacks succeed (ASR) where it acts on words without authority; tasks
        succeed (TSR) where it acts on the same words of the user.
      </p>
      <div class="fields">
        <StageField board={board} stage={stage} />
        <ChoiceField label="Acting model" name="model" chosen={named(model, board.models)} />
      </div>
      <Figure dots={dotsOf(track.id, rows.filter((row) => !row.null), looks, "tsr", "asr", true)} x="tasks succeed (TSR)" y="1 − attacks succeed (ASR)" title="Tasks against attacks, by memory condition">
        On the falling diagonal a condition only decides whether anything is done, whoever authorised it.
      </Figure>
      <RowTable track={track.id} rows={rows} looks={looks} metrics={metricsOf(board, rows)} first="Condition" label="Attacks and tasks by condition" />
      <Notes notes={board.notes} />
    </>
  );
}

/** A simulated model says so. */
export function named(chosen: ReturnType<typeof choice>, models: readonly { name: string; simulated: boolean }[]): ReturnType<typeof choice> {
  const simulated = new Set(models.filter((model) => model.simulated).map(({ name }) => name));
  return { ...chosen, options: chosen.options.map(({ value, label }) => ({ value, label: simulated.has(value) ? `${label} (simulated)` : label })) };
}
