import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editOf } from "./masks";
import { phone } from "./phone";
import { phoneFault, phoneMask } from "./phonePlan";

const CASES = readFileSync(join(import.meta.dirname, "../../../fixtures/cases/phones.txt"), "utf8");
const cases = CASES.trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(
    ([typed = "", , right = ""]) => [typed.replace(" (company)", ""), right.replace("kept as ", "")] as const,
  );

const pasted = (text: string) => phoneMask.clean(text);

/** What the field holds after each character was typed at the end of what it showed. */
function typed(text: string): string {
  let clean = "";
  for (const character of text) {
    const shown = phoneMask.show(clean);
    const next = { text: shown + character, caret: shown.length + 1, inputType: "insertText" };
    clean = editOf(phoneMask, shown, next).clean;
  }
  return clean;
}

it("has the cases", () => expect(cases).toHaveLength(5));

describe.each([
  ["typed", typed],
  ["pasted", pasted],
] as const)("a number that is %s", (_, enter) => {
  it.each(cases)("%s is %s", (text, right) => {
    const clean = enter(text);
    if (right === "refused") expect(phoneFault(clean, true)).toBe("foreign");
    else expect([phoneMask.show(clean), phoneFault(clean, true)]).toEqual([right, undefined]);
  });

  it.each([
    ["1133224455", "(11) 3322-4455"],
    ["(11) 98765-4321", "(11) 98765-4321"],
    ["+55 (11) 98765–4321", "(11) 98765-4321"],
    ["＋５５ １１ ９８７６５-４３２１", "(11) 98765-4321"],
    ["0055 11 98765 4321", "(11) 98765-4321"],
    ["+55 (0) 11 98765-4321", "(11) 98765-4321"],
    ["55 99988-7766", "(55) 99988-7766"],
    ["5555999887766", "(55) 99988-7766"],
    ["081 98765-4321", "(81) 98765-4321"],
    ["0800 123456", "0800 123 456"],
    ["5599333344445", "(99) 33334-4445"],
  ])("%s is shown as %s", (text, shown) => expect(phoneMask.show(enter(text))).toBe(shown));
});

it("reads a pasted number with a carrier, and one with the area code that is the country's", () => {
  expect(phoneMask.show(pasted("0 15 11 98765-4321"))).toBe("(11) 98765-4321");
  expect(phoneMask.show(pasted("+55 55 3222-4455"))).toBe("(55) 3222-4455");
  expect(phoneMask.show(pasted("559933334444"))).toBe("+55 99 3333-4444");
});

it.each([
  ["11987654321", undefined],
  ["1133224455", undefined],
  ["", "incomplete"],
  ["987654321", "incomplete"],
  ["10987654321", "areaCode"],
  ["55119876543", "number"],
  ["1187654321", "number"],
  ["+14155552671", "foreign"],
  ["08001234567", "nonGeographic"],
] as const)("%s has the fault %s", (clean, fault) => expect(phoneFault(clean)).toBe(fault));

it("takes an 0800 of a company when it is complete", () => {
  expect([phoneFault("0800123456", true), phoneFault("0800123", true)]).toEqual([undefined, "incomplete"]);
});

it.each([
  ["1133224455", "(11) 3322-4455"],
  ["11987654321", "(11) 98765-4321"],
  ["08001234567", "0800 123 4567"],
  ["190", "190"],
])("shows the stored %s as %s", (bare, shown) => expect(phone(bare)).toBe(shown));
