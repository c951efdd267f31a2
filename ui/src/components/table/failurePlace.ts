// Where the failure of a list's read is shown.
import type { Read } from "../../api/hooks";

type ListRead = Pick<Read<unknown>, "data" | "error" | "isLoading" | "isPrevious">;

/** The statuses after which the user may no longer see the rows. */
const REFUSALS: readonly number[] = [403, 404];

/**
 * "above" the rows if a repeated read failed: the rows are still the answer to these filters. "instead" of the rows if
 * there are none, if they are those of earlier filters, or if the user may no longer see them.
 */
export function failurePlace({
  data,
  error,
  isLoading,
  isPrevious,
}: ListRead): "above" | "instead" | undefined {
  // While other filters are read, the failure is that of the earlier ones.
  if (!error || (isLoading && data !== undefined)) return undefined;
  return data === undefined || isPrevious || REFUSALS.includes(error.status) ? "instead" : "above";
}
