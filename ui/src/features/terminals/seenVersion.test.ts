import { expect, test } from "vitest";
import { seenVersion } from "./seenVersion";

test("a change is decided on the shown version, and after a conflict on its message", () => {
  expect(seenVersion({ version: 3 }, undefined)).toEqual({ version: 3 });
  expect(seenVersion({ version: 3 }, { status: 422 })).toEqual({ version: 3 });
  expect(seenVersion({ version: 3 }, { status: 409 })).toEqual({});
});
