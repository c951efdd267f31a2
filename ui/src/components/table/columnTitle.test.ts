import { expect, it } from "vitest";
import { titleInHalves, titleInLines } from "./columnTitle";

it.each([
  ["Valor bruto", "Valor bruto"],
  ["a".repeat(10).concat(" ", "b".repeat(9)), `${"a".repeat(10)} ${"b".repeat(9)}`],
  ["Antecipado por cancelamento", "Antecipado por\ncancelamento"],
  ["a".repeat(30), "a".repeat(30)],
])("shows the title '%s' as %j", (title, lines) => expect(titleInLines(title)).toBe(lines));

it.each([
  ["Vendas", "Vendas"],
  ["Valor líquido", "Valor\nlíquido"],
  ["Taxa da forma de pagamento", "Taxa da forma\nde pagamento"],
  ["a".repeat(30), "a".repeat(30)],
])("in a table of many columns, breaks the title '%s' into %j", (title, halves) => {
  expect(titleInHalves(title)).toBe(halves);
  expect(titleInLines(titleInHalves(title))).toBe(halves);
});
