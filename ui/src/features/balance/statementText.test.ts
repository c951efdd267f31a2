import { expect, it } from "vitest";
import type { BalanceMovement } from "../../api/models";
import { descriptionText, kindText, saleText } from "./statementText";

it.each([
  ["rental", 2, "Aluguel"],
  ["hold", 3, "Bloqueio"],
  ["sale", 0, "Venda"],
  ["new_movement", 4, "Devolução de saque"],
  ["new_movement", 9, "#9"],
])("names the movement %s of kind %d %s", (movement, kind, text) => {
  expect(kindText({ movement, kind } as BalanceMovement)).toBe(text);
});

it("adds the installment to a description that does not name it", () => {
  expect(descriptionText({ description: "Venda", installment: 2 })).toBe("Venda (parcela 2)");
  expect(descriptionText({ description: "Parcela 2 de venda", installment: 2 })).toBe("Parcela 2 de venda");
  expect(descriptionText({ description: "Saque", installment: null })).toBe("Saque");
});

it("names the sale of a line, and nothing for a line without one", () => {
  const line = { description: "Venda", installment: 2, card_brand: "visa", sale_id: "sal_23456789abcd" };
  expect(saleText(line as BalanceMovement)).toBe("Visa · parcela 2 · 23456789ABCD");
  expect(saleText({ ...line, sale_id: null } as BalanceMovement)).toBe("");
});
