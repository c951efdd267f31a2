// The operations screen has a name for each kind of e-mail and for each group of read models.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operationsStrings } from "./pt-BR.operations";

const codesIn = (file: string, pattern: RegExp) => {
  const text = readFileSync(join(import.meta.dirname, "../../..", file), "utf8");
  return [...text.matchAll(pattern)].map(([, code = ""]) => code);
};

it("names every kind of e-mail, and no other", () => {
  const kinds = codesIn("gateway/identity/src/email_queue/kind.rs", /^ {8}[A-Z]\w+ = "([a-z-]+)",$/gm);
  expect(kinds).toContain("welcome");
  expect(Object.keys(operationsStrings.emailKinds).toSorted()).toEqual(kinds.toSorted());
});

it("names every group of read models", () => {
  const groups = codesIn("projections/src/read_model_groups.rs", /^ {4}[A-Z]\w+ = "([a-z_]+)" as/gm);
  expect(groups).toContain("balance");
  expect(Object.keys(operationsStrings.followerNames)).toEqual(expect.arrayContaining(groups));
});
