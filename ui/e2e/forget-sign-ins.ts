// Runs before all browser tests: sessions of an earlier run belong to databases that may be gone.
import { rmSync } from "node:fs";
import { STATES } from "./team";

export default function forgetSignIns() {
  rmSync(STATES, { recursive: true, force: true });
}
