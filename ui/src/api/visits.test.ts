// The origin of each entry of the history, to which the links back lead.
import { expect, it } from "vitest";
import { type Origins, originsAfter } from "./visits";

const at = (key: string, pathname: string, search = "") => ({ key, pathname, search });
const list = at("a", "/vendas", "?page=2");
const sale = at("b", "/vendas/7");

it("is the page from which another was opened, with its query", () => {
  expect(originsAfter({}, list, sale, "PUSH")).toEqual({ b: { address: "/vendas?page=2", steps: 1 } });
});

it("stays over changes of the query and over a page that replaces another", () => {
  const opened: Origins = { b: { address: "/vendas", steps: 1 } };
  expect(originsAfter(opened, sale, at("c", "/vendas/7", "?tab=x"), "PUSH").c).toEqual({
    address: "/vendas",
    steps: 2,
  });
  expect(originsAfter(opened, sale, at("d", "/outra"), "REPLACE").d).toEqual({
    address: "/vendas",
    steps: 1,
  });
});

it("is known again after going back, and unknown for an address that was typed", () => {
  const opened: Origins = { b: { address: "/vendas", steps: 1 } };
  expect(originsAfter(opened, sale, list, "POP")).toBe(opened);
  expect(originsAfter({}, list, at("c", "/vendas", "?page=3"), "PUSH")).toEqual({});
});
