import { expect, it } from "vitest";
import { Failure, NO_ANSWER } from "../api/failure";
import { type RefreshedRead, readTime, stateOf } from "./refreshState";

const done: RefreshedRead = { data: {}, error: undefined, isValidating: false };
const failed: RefreshedRead = { ...done, error: new Failure(NO_ANSWER, undefined) };
const before = new Date("2026-11-21T15:00:00Z");
const now = new Date("2026-11-21T15:05:00Z");

it("gives the time of the last success", () => {
  expect(readTime(before, stateOf([done, done]), now)).toBe(now);
  expect(readTime(before, stateOf([{ ...done, isValidating: true }, done]), now)).toBe(before);
});

it("keeps the time if a read fails", () => {
  expect(readTime(before, stateOf([failed, done]), now)).toBe(before);
  expect(readTime(undefined, stateOf([failed]), now)).toBeUndefined();
});

it("has no time before the first answer", () => {
  const unread = { ...done, data: undefined };
  expect(readTime(undefined, stateOf([unread]), now)).toBeUndefined();
});
