/** An address that names nothing. */
import { useTitle } from "./useTitle";

export function NotFound({ what }: { what: string }) {
  useTitle("Not found");
  return (
    <>
      <h1>There is no such page</h1>
      <p>{what}</p>
    </>
  );
}
