// The two access tables as this build carries them.
import callsTable from "../../../fixtures/access/calls.tsv?raw";
import screensTable from "../../../fixtures/access/screens.tsv?raw";
import { callAccess, parseCalls, parseScreens } from "./accessTable";

export const screens = parseScreens(screensTable);
export const calls = parseCalls(callsTable);

/** Whether a call is for those who are not signed in too: then a 401 says nothing of the session. */
export function isForEverybody(call: string): boolean {
  return callAccess(calls, call).roles === "public";
}
