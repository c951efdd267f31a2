import { expect, it } from "vitest";
import { companyText, filtersText } from "./printText";

it("names one company by its id until its name is known, and never as all companies", () => {
  expect(companyText({ id: "biz_1", name: "Padaria" }, "biz_1")).toBe("Padaria");
  expect(companyText(undefined, "biz_1")).toBe("biz_1");
  expect(companyText(undefined, null)).toBe("Todas as empresas");
});

it("lists the chosen filters, with a machine's name or id", () => {
  const none = { solution: null, paymentType: null, brand: null, terminal: null, link: null };
  expect(filtersText(none, undefined)).toBe("");
  const chosen = { ...none, paymentType: "credit", brand: "visa", terminal: "ter_1" } as const;
  expect(filtersText(chosen, "Caixa 1")).toBe("Pagamento: Crédito; Bandeira: Visa; Maquininha: Caixa 1");
  expect(filtersText(chosen, undefined)).toMatch(/: ter_1$/);
});
