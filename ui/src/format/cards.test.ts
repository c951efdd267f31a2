import { describe, expect, it } from "vitest";
import {
  cardBrand,
  cardDigits,
  cardExpiry,
  cardNumberError,
  isExpired,
  passesLuhn,
  securityCodeLength,
  showCardNumber,
} from "./cards";

/** Mostly numbers that acquirers publish for tests. */
const NUMBERS = [
  ["4242424242424242", "visa"],
  ["4000000000000002", "visa"],
  ["5555555555554444", "mastercard"],
  ["2223003122003222", "mastercard"],
  ["378282246310005", "amex"],
  ["341111111111111", "amex"],
  ["6011111111111117", "discover"],
  ["6362970000457013", "elo"],
  ["5067220000000003", "elo"],
  ["6062825624254001", "hipercard"],
  ["6370950000000005", "hiper"],
  ["30569309025904", "diners"],
  ["3530111333300000", "jcb"],
] as const;

describe("the brand of a card", () => {
  it.each(NUMBERS)("of %s is %s", (number, brand) => {
    expect(cardBrand(number)).toBe(brand);
    expect(cardNumberError(number)).toBeUndefined();
  });

  it.each([
    ["40117", "visa"],
    ["401177", "visa"],
    ["401178", "elo"],
    ["401179", "elo"],
    ["401180", "visa"],
    ["457632", "elo"],
    ["506698", undefined],
    ["506699", "elo"],
    ["506778", "elo"],
    ["506779", undefined],
    ["508999", undefined],
    ["509000", "elo"],
    ["509999", "elo"],
    ["510000", "mastercard"],
    ["55", "mastercard"],
    ["56", undefined],
    ["2220", undefined],
    ["2221", "mastercard"],
    ["2720", "mastercard"],
    ["2721", undefined],
    ["650034", "discover"],
    ["650035", "elo"],
    ["650719", "discover"],
    ["655020", "discover"],
    ["655058", "elo"],
    ["655059", "discover"],
    ["643", undefined],
    ["644", "discover"],
    ["3841", "hipercard"],
    ["384", "diners"],
    ["306", undefined],
    ["3527", undefined],
    ["3589", "jcb"],
    ["606282", "hipercard"],
    ["637612", "hiper"],
    ["637613", undefined],
    ["34", "amex"],
    ["3", undefined],
    ["", undefined],
  ])("that begins with %s is %s", (digits, brand) => expect(cardBrand(digits)).toBe(brand));
});

describe("a card number", () => {
  const other = (digit: string | undefined) => String((Number(digit) + 1) % 10);

  it("with one wrong digit fails its check", () => {
    for (const [number] of NUMBERS) {
      for (let place = 0; place < number.length; place += 1) {
        const wrong = number.slice(0, place) + other(number[place]) + number.slice(place + 1);
        expect(passesLuhn(wrong), wrong).toBe(false);
      }
    }
  });

  it.each([
    ["", "empty"],
    ["4", "incomplete"],
    ["42424242424242", "incomplete"],
    ["37828224631000", "incomplete"],
    ["3782822463100053", "tooLong"],
    ["55555555555544440", "tooLong"],
    ["4242424242424241", "wrong"],
    ["9999999999999999999", "wrong"],
    ["9999999999999999998", undefined],
  ])("%s is %s", (digits, error) => expect(cardNumberError(digits)).toBe(error));

  it("is shown in groups, which are different for an Amex", () => {
    expect(showCardNumber("4242424242424242")).toBe("4242 4242 4242 4242");
    expect(showCardNumber("378282246310005")).toBe("3782 822463 10005");
    expect(showCardNumber("42424")).toBe("4242 4");
    expect(showCardNumber("")).toBe("");
  });

  it("is read from a text with other characters, up to 19 digits", () => {
    expect(cardDigits(" 4242-4242 4242a4242\n")).toBe("4242424242424242");
    expect(cardDigits("４２４２ ４２４２.4242\u00a04242")).toBe("4242424242424242");
    expect(cardDigits("1".repeat(30))).toHaveLength(19);
  });

  it("has a security code of its brand", () => {
    expect([securityCodeLength("amex"), securityCodeLength("elo"), securityCodeLength(undefined)]).toEqual([
      4, 3, 3,
    ]);
  });
});

describe("the expiry of a card", () => {
  it.each([
    ["12/30", { month: 12, year: 2030 }],
    ["1/2030", { month: 1, year: 2030 }],
    [" 0130 ", { month: 1, year: 2030 }],
    ["00/30", undefined],
    ["13/30", undefined],
    ["12/1999", undefined],
    ["122030", { month: 12, year: 2030 }],
    ["1220", { month: 12, year: 2020 }],
    ["12", undefined],
    ["12/3", undefined],
    ["ab/cd", undefined],
    ["", undefined],
  ])("is read from '%s' as %o", (text, expiry) => expect(cardExpiry(text)).toEqual(expiry));

  it("is the end of its month", () => {
    expect(isExpired({ month: 11, year: 2026 }, "2026-11-30")).toBe(false);
    expect(isExpired({ month: 11, year: 2026 }, "2026-12-01")).toBe(true);
    expect(isExpired({ month: 1, year: 2027 }, "2026-12-31")).toBe(false);
  });
});
