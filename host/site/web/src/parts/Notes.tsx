/** What a reader must know beside the numbers. */
export function Notes({ notes, title = "Notes" }: { notes: readonly string[]; title?: string }) {
  if (!notes.length) return null;
  return (
    <section aria-label={title}>
      <ul class="notes">{notes.map((note, index) => <li key={index}>{note}</li>)}</ul>
    </section>
  );
}
