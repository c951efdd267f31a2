// Runs before all browser tests: browser states of an earlier run belong to databases that may no longer exist.
import { rmSync } from "node:fs";
import { STORED_STATES } from "./story-users";

export default function deleteStoredStates() {
  rmSync(STORED_STATES, { recursive: true, force: true });
}
