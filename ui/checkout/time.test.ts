import { expect, it, vi } from "vitest";
import { countdown, date, instant, noteServerTime, secondsLeft, serverNow, today } from "./time";

it("counts down to zero, and shows nothing if more than a day is left", () => {
  const now = Date.parse("2026-11-21T15:00:00Z");
  expect(secondsLeft("2026-11-21T15:29:07Z", now)).toBe(29 * 60 + 7);
  expect(secondsLeft("2026-11-21T14:59:59Z", now)).toBe(0);
  expect(secondsLeft("2026-11-23T15:00:00Z", now)).toBeUndefined();
  expect([countdown(29 * 60 + 7), countdown(3600 + 5 * 60 + 9)]).toEqual(["29:07", "1:05:09"]);
});

it("counts by the gateway's clock", () => {
  vi.useFakeTimers({ now: Date.parse("2031-01-02T03:04:05Z") });
  noteServerTime("Sat, 21 Nov 2026 15:00:00 GMT");
  noteServerTime(null);
  vi.advanceTimersByTime(60_000);
  expect(secondsLeft("2026-11-21T15:30:00Z", serverNow())).toBe(29 * 60);
  // The next test has no offset to the gateway's clock.
  noteServerTime(new Date().toUTCString());
  vi.useRealTimers();
});

it("shows dates of Brasília", () => {
  expect(date("2026-11-26")).toBe("26/11/2026");
  expect(instant("2026-11-22T02:05:00Z")).toBe("21/11/2026 às 23:05");
  expect(today(new Date("2026-11-22T02:00:00Z"))).toBe("2026-11-21");
});
