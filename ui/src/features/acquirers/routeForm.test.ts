import { expect, it } from "vitest";
import type { AcquirerRoute, AcquirerSettings } from "../../api/models";
import { addable, moved, routeBody, routeValues } from "./routeForm";

const entry = (provider: string, usable = true) => ({ provider, label: provider.toUpperCase(), usable });
const route: AcquirerRoute = {
  solution: 4,
  payment_type: "pix",
  source: "all",
  acquirers: [entry("zoop"), entry("barte", false), entry("iugu")],
  valid_from: null,
  set_by: null,
  revision: 3,
};

it("starts from the list in force, without acquirers that cannot take the payment type now", () => {
  expect(routeValues(route, "all")).toEqual({ choice: "own", acquirers: ["zoop", "iugu"] });
  expect(routeValues(route, "company").choice).toBe("inherit");
});

it("sends the list, or null to withdraw it", () => {
  const body = { business_id: "biz_1", solution: 4, payment_type: "pix", revision: 3 };
  expect(routeBody(route, "biz_1", { choice: "own", acquirers: [] })).toEqual({ ...body, acquirers: [] });
  expect(routeBody(route, "biz_1", { choice: "inherit", acquirers: ["zoop"] })).toEqual({
    ...body,
    acquirers: null,
  });
});

it("moves an entry by one place", () => {
  expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
  expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
});

it("offers the acquirers that take the payment type and are not on the list", () => {
  const acquirer = (provider: string, payment_types: string[]) =>
    ({ provider, label: provider, mode: "live", host: null, payment_types }) as const;
  const settings: AcquirerSettings = {
    acquirers: [acquirer("zoop", ["pix"]), acquirer("iugu", ["pix", "credit"]), acquirer("barte", [])],
    routes: [],
    companies: [],
  };
  const providers = (payment_type: string, list: string[]) =>
    addable(settings, payment_type, list).map(({ provider }) => provider);
  expect(providers("pix", [])).toEqual(["zoop", "iugu"]);
  expect(providers("pix", ["zoop"])).toEqual(["iugu"]);
  expect(providers("credit", [])).toEqual(["iugu"]);
});
