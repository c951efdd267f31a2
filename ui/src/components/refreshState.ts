// Whether reads run, and when they last succeeded.
import type { Read } from "../api/hooks";

export type RefreshedRead = Pick<Read<unknown>, "data" | "error" | "isValidating">;

type ReadState = "running" | "failed" | "done" | "unread";

/** The state of several reads together. */
export function stateOf(reads: readonly RefreshedRead[]): ReadState {
  if (reads.some(({ isValidating }) => isValidating)) return "running";
  if (reads.some(({ error }) => error !== undefined)) return "failed";
  return reads.every(({ data }) => data !== undefined) ? "done" : "unread";
}

/** The time of the last success, after the reads have changed to `state`. */
export function readTime(before: Date | undefined, state: ReadState, now: Date): Date | undefined {
  return state === "done" ? now : before;
}
