// The two access tables. The build includes their text.
import callsTable from "../../../fixtures/access/calls.tsv?raw";
import screensTable from "../../../fixtures/access/screens.tsv?raw";
import { callAccess, parseCalls, parseScreens } from "./accessTable";

export const screens = parseScreens(screensTable);
export const calls = parseCalls(callsTable);

/** Whether the call needs no session. Then a 401 does not mean that the session has ended. */
export function isPublicCall(call: string): boolean {
  return callAccess(calls, call).roles === "public";
}
