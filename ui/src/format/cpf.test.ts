import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isCpf } from "./cpf";
import { taxId } from "./documents";

const VECTORS = join(import.meta.dirname, "../../../fixtures/vectors.json");
const { cpf_valid: valid } = JSON.parse(readFileSync(VECTORS, "utf8")) as { cpf_valid: string[] };

const other = (digit: string | undefined) => String((Number(digit) + 1) % 10);

it("accepts the numbers that independent implementations accept, with and without dots", () => {
  expect(valid.length).toBeGreaterThan(40);
  for (const cpf of valid) expect([isCpf(cpf), isCpf(taxId(cpf))], cpf).toEqual([true, true]);
});

it("refuses a wrong first or second check digit", () => {
  for (const cpf of valid) {
    for (const place of [9, 10]) {
      const wrong = cpf.slice(0, place) + other(cpf[place]) + cpf.slice(place + 1);
      expect(isCpf(wrong), wrong).toBe(false);
    }
  }
});

it.each([
  "",
  "1",
  "3516247894",
  "351624789460",
  "11111111111",
  "000.000.000-00",
  "123.456.789-09",
  "3516247894a",
])("refuses %s", (text) => expect(isCpf(text)).toBe(false));
