/** A table as a CSV file, made in the page. */

/** A spreadsheet would run a text that begins with one of these; the tab before it makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;

/** One field. Numbers keep all their digits, null is empty. */
function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `\t${value}` : value;
  return /[",\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180). */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => row.map(field).join(",") + "\r\n").join("");
}

/** Hands a text to the reader as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
