import { expect, it } from "vitest";
import { reasonText } from "./reason";

it.each([
  ["unknown_sale", {}, "Venda não encontrada"],
  ["below_minimum", { message: "Valor mínimo é de R$ 5,00" }, "Valor mínimo é de R$ 5,00"],
  ["something_new", {}, "something_new"],
  ["toString", { message: 5 }, "toString"],
])("%s with %o reads %s", (reason, reason_parameters, text) => {
  expect(reasonText({ reason, reason_parameters })).toBe(text);
});
