import { expect, it } from "vitest";
import { shortCode, shortCodeFromStart, truncate } from "./text";

const ID = "sal_0192f3a4-5b6c-7d8e-9f01-23456789abcd";

it("takes the last twelve characters in capitals", () => {
  expect(shortCode(ID)).toBe("23456789ABCD");
  expect(shortCode("abc")).toBe("ABC");
});

it("takes the first twelve characters without hyphens", () => {
  expect(shortCodeFromStart("0192f3a4-5b6c-7d8e-9f01-23456789abcd")).toBe("0192f3a45b6c");
});

it("cuts a text after thirty characters", () => {
  expect(truncate("a".repeat(30))).toBe("a".repeat(30));
  expect(truncate("a".repeat(31))).toBe(`${"a".repeat(30)}...`);
  expect(truncate("ação", 2)).toBe("aç...");
});
