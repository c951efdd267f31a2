import { expect, it } from "vitest";
import { reasonSchema } from "./reason";

it("accepts no reason, or one of up to 200 characters", () => {
  const accepts = (reason: string) => reasonSchema.safeParse({ reason }).success;
  expect(accepts("")).toBe(true);
  expect(accepts("x".repeat(200))).toBe(true);
  expect(accepts("x".repeat(201))).toBe(false);
});
