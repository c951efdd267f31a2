import { expect, test } from "vitest";
import { mergeForms } from "../../components/forms/mergeForms";
import { linkTexts } from "./linkTexts";
import { type LinkValues, NEW_LINK } from "./linkValues";

const opened: LinkValues = { ...NEW_LINK, description: "Bolo", amount: 50_00, expires_on: "31122026" };
const merged = (typed: Partial<LinkValues>, saved: Partial<LinkValues>) =>
  mergeForms(opened, { ...opened, ...typed }, { ...opened, ...saved }, linkTexts);

test("payment types are one field, in any order", () => {
  const merge = merged({ payment_types: ["boleto", "pix", "credit"] }, { payment_types: ["pix"] });
  expect(merge.values.payment_types).toEqual(["pix"]);
  expect([merge.taken, merge.conflicts]).toEqual([["Formas de pagamento"], []]);
});

test("a conflict shows the values as the screen shows them", () => {
  const merge = merged(
    { amount: 60_00, payment_types: ["pix"], payer: "buyer", expires_on: "", use_limit: "5" },
    { amount: 70_00, payment_types: ["pix", "boleto"], expires_on: "01012027", use_limit: "9" },
  );
  expect(merge.conflicts.map(({ label, saved, typed }) => [label, saved, typed])).toEqual([
    ["Valor", "R$\u00a070,00", "R$\u00a060,00"],
    ["Formas de pagamento", "PIX, Boleto", "PIX"],
    ["Validade", "01/01/2027", "vazio"],
    ["Limite de usos", "9", "5"],
  ]);
  expect(merge.values.payer).toBe("buyer");
});
