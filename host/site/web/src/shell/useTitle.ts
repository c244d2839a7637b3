/** The window's title follows the view. */
import { useEffect } from "preact/hooks";

let site = "Weir";

export function setSiteTitle(title: string): void {
  site = title;
}

export function useTitle(view: string): void {
  useEffect(() => {
    document.title = view ? `${view} · ${site}` : site;
  }, [view]);
}
