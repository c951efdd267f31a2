import { expect, test } from "vitest";
import { acquisitionText, billingText, machineName, monthlyPriceText } from "./terminalText";

const never = { billing_type: null, acquisition: null, rental_price: null, monthly_price: null };
const rented = { billing_type: 1, acquisition: 1, rental_price: null, monthly_price: 4990 } as const;

test("a rental has its monthly price", () => {
  expect(billingText(rented)).toBe("Aluguel, R$\u00a049,90 por mês");
  expect(billingText({ ...rented, billing_type: 0, monthly_price: null })).toBe("Adesão");
});

test("a terminal that was never billed has dashes", () => {
  expect([billingText(never), acquisitionText(never), monthlyPriceText(never)]).toEqual(["—", "—", "—"]);
});

test("a machine without a name is called by its serial number", () => {
  expect(machineName({ name: null, serial_number: "PDV1" })).toBe("PDV1");
  expect(machineName({ name: "Balcão", serial_number: "PDV1" })).toBe("Balcão");
});
