import { expect, test } from "vitest";
import { age } from "./age";

test("an age is shown in minutes, in hours up to two days, then in days", () => {
  expect([0, 59, 60, 3599, 3600, 47 * 3600, 48 * 3600, 10 * 86_400].map(age)).toEqual([
    "menos de 1 min",
    "menos de 1 min",
    "1 min",
    "59 min",
    "1 h",
    "47 h",
    "2 dias",
    "10 dias",
  ]);
});
