// The placeholder until the first answer. Keep it equal to the one in index.html.
import { words } from "./words";

export function Loading() {
  return (
    <div className="loading" aria-busy="true">
      <p className="hidden">{words.loading}</p>
    </div>
  );
}
