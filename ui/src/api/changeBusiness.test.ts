import { expect, it } from "vitest";
import { afterChange } from "./changeBusiness";

const own = { id: "biz_1", name: "Volta", role: "owner" } as const;
const counter = { id: "biz_2", name: "Boa Safra", role: "operator" } as const;

it("stays on a page that the new role may open", () => {
  expect(afterChange("/financeiro", own)).toEqual({ to: "/financeiro", state: null });
  expect(afterChange("/vendas", counter)).toEqual({ to: "/vendas", state: null });
});

it("goes from a record to the list of its kind", () => {
  expect(afterChange("/vendas/sal_1", counter)).toEqual({ to: "/vendas", state: null });
});

it("goes home from a page that the new role may not open, and names the page and the company", () => {
  const state = { closed: "Financeiro", business: { id: "biz_2", name: "Boa Safra" } };
  expect(afterChange("/financeiro", counter)).toEqual({ to: "/", state });
});

it("goes home from a page that was denied or does not exist", () => {
  expect(afterChange("/unauthorized", counter)).toEqual({ to: "/", state: null });
  expect(afterChange("/nada", own)).toEqual({ to: "/", state: null });
});
