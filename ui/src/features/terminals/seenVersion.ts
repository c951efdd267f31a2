// The version of a terminal that is sent with a change, so that the gateway refuses a change of outdated values.
import type { Failure } from "../../api/failure";

const CONFLICT = 409;

/**
 * The version that the screen showed; none after a conflict. The message about an outdated version states the
 * terminal's present values, and saving again accepts them.
 */
export function seenVersion(
  { version }: { version: number },
  failure: Pick<Failure, "status"> | undefined,
): { version?: number } {
  return failure?.status === CONFLICT ? {} : { version };
}
