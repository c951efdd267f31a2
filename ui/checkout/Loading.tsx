// What is shown until the first answer. index.html begins with the same.
import { words } from "./words";

export function Loading() {
  return (
    <div className="loading" aria-busy="true">
      <p className="hidden">{words.loading}</p>
    </div>
  );
}
