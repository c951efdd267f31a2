// Runs before all browser tests: sessions of an earlier run belong to databases that may be gone.
import { rmSync } from "node:fs";
import { SIGN_INS } from "./story-users";

export default function forgetSignIns() {
  rmSync(SIGN_INS, { recursive: true, force: true });
}
