import { expect, it } from "vitest";
import { knownFacts } from "./facts";

it.each([[null], [undefined], [false], [""]])("leaves out a fact whose value is %o", (value) => {
  expect(knownFacts([["Código externo", value]])).toEqual([]);
});

it("keeps texts, a dash and zero, in their order", () => {
  const facts = [
    ["Plano", "Essencial"],
    ["Telefone", "—"],
    ["Tentativas", 0],
  ] as const;
  expect(knownFacts(facts)).toEqual(facts);
});
