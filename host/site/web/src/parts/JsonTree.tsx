/** JSON as a reader wants it: nested lists of names and values, long ones folded. */
import type { Json } from "../data";

export function JsonTree({ value, open = false, depth = 0 }: { value: Json; open?: boolean; depth?: number }) {
  if (value === null || typeof value !== "object") return <code class="leaf">{value === null ? "null" : String(value)}</code>;
  const items: [string, Json][] = Array.isArray(value) ? value.map((item, index) => [String(index + 1), item]) : Object.entries(value);
  if (!items.length) return <span class="quiet">none</span>;
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object") && value.length <= 12) {
    return <code class="leaf">{value.map(String).join(", ")}</code>;
  }
  return (
    <dl class={`tree ${depth ? "" : "root"}`}>
      {items.map(([name, item]) => (
        <div key={name}>
          {item !== null && typeof item === "object" && size(item) > 0 && !isShort(item) ? (
            <dd class="branch"><details open={open && depth < 2}><summary>{name} <small>{size(item)}</small></summary><JsonTree value={item} open={open} depth={depth + 1} /></details></dd>
          ) : <><dt>{name}</dt><dd><JsonTree value={item} depth={depth + 1} /></dd></>}
        </div>
      ))}
    </dl>
  );
}

function size(value: Json): number {
  return value === null || typeof value !== "object" ? 0 : Array.isArray(value) ? value.length : Object.keys(value).length;
}

function isShort(value: Json): boolean {
  return Array.isArray(value) && value.length <= 12 && value.every((item) => item === null || typeof item !== "object");
}
