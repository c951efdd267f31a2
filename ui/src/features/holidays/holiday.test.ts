import { describe, expect, it } from "vitest";
import { dateOfTyped } from "../../format/dates";
import { holidaySchema } from "./holiday";

describe("a typed date", () => {
  it("is a date only if the day exists", () => {
    expect(dateOfTyped("09072027")).toBe("2027-07-09");
    expect(dateOfTyped("29022028")).toBe("2028-02-29");
    for (const digits of ["", "0907202", "29022027", "31042027", "00012027", "01132027"]) {
      expect(dateOfTyped(digits), digits).toBeUndefined();
    }
  });
});

describe("a new holiday", () => {
  // 02:30 UTC is still the day before in Brasília.
  const schema = holidaySchema(new Date("2026-11-22T02:30:00Z"));
  const errors = (date: string, name: string) =>
    (schema.safeParse({ date, name }).error?.issues ?? []).map(({ message }) => message);

  it("is today or later, by the business day in Brasília", () => {
    expect(errors("21112026", "Feriado")).toEqual([]);
    expect(errors("20112026", "Feriado")).toEqual(["A data deve ser hoje ou posterior."]);
  });

  it("has a date and a name of at most 60 characters", () => {
    expect(errors("", " ")).toEqual(["Informe a data.", "Informe o nome do feriado."]);
    expect(errors("31022027", "x".repeat(61))).toEqual([
      "Informe uma data no formato DD/MM/AAAA.",
      "O texto deve ter até 60 caracteres.",
    ]);
  });
});
