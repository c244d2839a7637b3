/** A labelled choice, and a labelled switch. */

export interface Option { value: string; label: string }

export function Select({ label, value, options, onChange }: {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
      </select>
    </label>
  );
}

/** A box to tick. */
export function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** A field that filters by text. */
export function Filter({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="search" value={value} autocomplete="off" spellcheck={false} onInput={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}

/** Choices of which one holds, side by side. */
export function Choice({ label, value, options, onChange }: {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}) {
  return (
    <div class="field" role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <div class="choice">
        {options.map((option) => (
          <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>{option.label}</button>
        ))}
      </div>
    </div>
  );
}
