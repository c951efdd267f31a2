import { expect, it } from "vitest";
import { addressAfterChange } from "./changeBusiness";

const owned = { id: "biz_1", name: "Volta", role: "owner" } as const;
const operated = { id: "biz_2", name: "Boa Safra", role: "operator" } as const;

it("stays on a page that the new role may open", () => {
  expect(addressAfterChange("/financeiro", owned)).toEqual({ to: "/financeiro", state: null });
  expect(addressAfterChange("/vendas", operated)).toEqual({ to: "/vendas", state: null });
});

it("goes from a record to the list of its kind", () => {
  expect(addressAfterChange("/vendas/sal_1", operated)).toEqual({ to: "/vendas", state: null });
});

it("tells a page below another page from a record", () => {
  for (const to of [
    "/maquininha/taxas",
    "/links-de-pagamento/calculadora",
    "/configuracoes/conta-bancaria",
  ]) {
    expect(addressAfterChange(to, owned)).toEqual({ to, state: null });
  }
  expect(addressAfterChange("/maquininha/vendas/sal_1", owned).to).toBe("/maquininha/vendas");
});

it("goes home from a page that the new role may not open, and names the page and the company", () => {
  const state = { pageTitle: "Financeiro", business: { id: "biz_2", name: "Boa Safra" } };
  expect(addressAfterChange("/financeiro", operated)).toEqual({ to: "/", state });
});

it("goes home from a page that was denied or does not exist", () => {
  expect(addressAfterChange("/unauthorized", operated)).toEqual({ to: "/", state: null });
  expect(addressAfterChange("/nada", owned)).toEqual({ to: "/", state: null });
});
