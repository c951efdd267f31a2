import { expect, it } from "vitest";
import { Failure, NO_ANSWER } from "../../api/failure";
import { failurePlace } from "./failurePlace";

const failure = (status: number) => new Failure(status, undefined);
const read = { data: {}, error: undefined, isLoading: false, isPrevious: false };

it("keeps the rows if a repeated read fails", () => {
  expect(failurePlace({ ...read, error: failure(NO_ANSWER) })).toBe("above");
  expect(failurePlace({ ...read, error: failure(500) })).toBe("above");
});

it("replaces rows that are missing, of earlier filters, or refused", () => {
  expect(failurePlace({ ...read, data: undefined, error: failure(500) })).toBe("instead");
  expect(failurePlace({ ...read, isPrevious: true, error: failure(422) })).toBe("instead");
  expect(failurePlace({ ...read, error: failure(403) })).toBe("instead");
});

it("shows nothing without a failure, and no failure of earlier filters", () => {
  expect(failurePlace(read)).toBeUndefined();
  expect(failurePlace({ ...read, isLoading: true, isPrevious: true, error: failure(500) })).toBeUndefined();
});
