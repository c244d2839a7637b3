/**
 * Loads a site's data. A page that is opened from disk may run scripts beside it and may not fetch files, so each data file is a
 * script that calls `weir.put`; the same works from any static host.
 */

declare global {
  interface Window { weir?: { put(name: string, value: unknown): void } }
}

const values = new Map<string, unknown>();
const waiting = new Map<string, Promise<unknown>>();

window.weir = { put: (name, value) => void values.set(name, value) };

/** The value of a data file, by its path without `.js`; the same promise for the same path. */
export function load<T>(name: string): Promise<T> {
  const known = waiting.get(name);
  if (known) return known as Promise<T>;
  const promise = new Promise<T>((resolve, reject) => {
    if (values.has(name)) return resolve(values.get(name) as T);
    const script = document.createElement("script");
    script.src = `${name}.js`;
    script.async = true;
    script.onload = () => {
      script.remove();
      if (values.has(name)) resolve(values.get(name) as T);
      else reject(new Error(`${name}.js did not hand over its data`));
    };
    script.onerror = () => {
      script.remove();
      waiting.delete(name);
      reject(new Error(`${name}.js could not be loaded`));
    };
    document.head.append(script);
  });
  waiting.set(name, promise);
  return promise;
}
