import { expect, it } from "vitest";
import { businessNow, noteTime } from "./serverClock";

const at = (text: string) => Date.parse(text);

it("follows the gateway's time, whatever the browser's clock says", () => {
  const browser = at("2026-11-19T10:00:00Z");
  noteTime(new Headers({ "business-time": "2026-11-21T03:00:00Z" }), browser);
  expect(businessNow(browser + 60_000).toISOString()).toBe("2026-11-21T03:01:00.000Z");
  // An answer without the time changes nothing.
  noteTime(new Headers(), browser);
  expect(businessNow(browser).toISOString()).toBe("2026-11-21T03:00:00.000Z");
  noteTime(new Headers({ "business-time": "2026-11-19T10:00:00Z" }), browser);
  expect(businessNow(browser).toISOString()).toBe("2026-11-19T10:00:00.000Z");
});
