import { expect, it } from "vitest";
import { parseAsInstant } from "./asOf";

it.each(["2026-11-21T02:30:00Z", "2026-11-21T02:30:00.000Z", "2026-11-21T02:30:00.123456Z"])(
  "takes %s from the address as it is",
  (text) => expect(parseAsInstant.parse(text)).toBe(text),
);

it.each([
  "",
  "ontem",
  "2026-11-21",
  "2026-11-21T02:30:00",
  "2026-11-21T02:30:00-03:00",
  "2026-02-30T10:00:00Z",
])("ignores %s", (text) => expect(parseAsInstant.parse(text)).toBeNull());
