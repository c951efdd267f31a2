import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { paymentStrings } from "../strings/pt-BR.payment";
import { brandImage, brandName, installmentsText, paymentText, providerName, solutionName } from "./payment";

it.each([
  ["credit", 0, "Crédito à vista"],
  ["credit", 1, "Crédito à vista"],
  ["credit", 12, "Crédito 12x"],
  ["CREDIT_CARD", 2, "Crédito 2x"],
  ["debit", 1, "Débito"],
  ["pix", 1, "PIX"],
  ["PIX", 1, "PIX"],
  ["boleto", 1, "Boleto"],
  ["BOLETO", 1, "Boleto"],
])("reads %s in %i as %s", (type, installments, text) => {
  expect(paymentText(type, installments)).toBe(text);
});

it.each([
  [0, "à vista"],
  [1, "à vista"],
  [3, "Parcelado 3x"],
])("reads %i installments as %s", (installments, text) => {
  expect(installmentsText(installments)).toBe(text);
});

it("names the eight providers, and shows the id of others", () => {
  const names = [1, 2, 3, 4, 5, 6, 7, 8].map(providerName);
  expect(new Set(names).size).toBe(8);
  expect(names.some((name) => name.startsWith("#"))).toBe(false);
  expect(providerName(9)).toBe("#9");
  expect(providerName(null)).toBe("N/A");
  expect(providerName(undefined)).toBe("N/A");
});

it("names solutions and brands, and shows unknown codes unchanged", () => {
  expect(solutionName(4)).toBe("Link de pagamento");
  expect(solutionName(5)).toBe("#5");
  expect(brandName("visa")).toBe("Visa");
  expect(brandName("toString")).toBe("toString");
});

it("has a picture of every brand that has a name, and of no other", () => {
  const folder = join(import.meta.dirname, "../../public");
  for (const brand of Object.keys(paymentStrings.payment.brands)) {
    expect(existsSync(join(folder, brandImage(brand) ?? "none")), brand).toBe(true);
  }
  expect(brandImage("toString")).toBeUndefined();
});
