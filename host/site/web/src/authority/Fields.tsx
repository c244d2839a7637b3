/** Choices that the modules share. */
import type { AuthorityBoard } from "../data";
import { Select, type Option } from "../parts/Select";
import { setQuery } from "../router";

export function StageField({ board, stage }: { board: AuthorityBoard; stage: string }) {
  if (board.stages.length < 2) return null;
  return <Select label="Stage" value={stage} options={board.stages.map((value) => ({ value, label: value }))} onChange={(value) => setQuery({ stage: value })} />;
}

export function ChoiceField({ label, name, chosen }: { label: string; name: string; chosen: { value: string; options: Option[] } }) {
  if (chosen.options.length < 2) return null;
  return <Select label={label} value={chosen.value} options={chosen.options} onChange={(value) => setQuery({ [name]: value })} />;
}
