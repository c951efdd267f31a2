import { expect, it } from "vitest";
import { sizeText } from "./size";

it.each([
  [0, "0 B"],
  [1_023, "1.023 B"],
  [1_024, "1 KB"],
  [13_107_200, "12,5 MB"],
  [1_048_524, "1.023,9 KB"],
  // Rounded to one decimal, it would be 1.024 KB.
  [1_048_575, "1 MB"],
  [5_497_558_138_880, "5.120 GB"],
])("%i bytes are %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));
