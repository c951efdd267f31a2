import { expect, test } from "vitest";
import { seenVersion } from "./seenVersion";

test("a change sends the shown version, and no version after a conflict", () => {
  expect(seenVersion({ version: 3 }, undefined)).toEqual({ version: 3 });
  expect(seenVersion({ version: 3 }, { status: 422 })).toEqual({ version: 3 });
  expect(seenVersion({ version: 3 }, { status: 409 })).toEqual({});
});
