import { expect, it } from "vitest";
import { parseAsBusinessDate, parseAsPeriodBound } from "./listState";

it("accepts dates that exist", () => {
  expect(parseAsBusinessDate.parse("2026-11-21")).toBe("2026-11-21");
  expect(parseAsBusinessDate.parse("2024-02-29")).toBe("2024-02-29");
});

it.each(["2026-02-30", "2026-13-01", "21/11/2026", "2026-11-21T00:00", "", "ontem"])(
  "ignores %j as a date",
  (text) => {
    expect(parseAsBusinessDate.parse(text)).toBeNull();
  },
);

it.each(["2026-11-21", "2026-11-21T02:00:00Z", "2026-11-21T02:59:59.999999Z"])(
  "accepts %s in a period",
  (text) => {
    expect(parseAsPeriodBound.parse(text)).toBe(text);
  },
);

it.each(["2026-02-30T02:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T02:00:00", "2026-11-21T02:00:00-03:00"])(
  "ignores %s in a period",
  (text) => expect(parseAsPeriodBound.parse(text)).toBeNull(),
);
