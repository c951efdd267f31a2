import { expect, it } from "vitest";
import { businessCookie, pickBusiness, rememberedBusiness } from "./business";
import type { SellerBusiness } from "./models";

const business = (id: string): SellerBusiness => ({
  id,
  name: id,
  document: "04530174000117",
  type: "PJ",
  statement_descriptor: "LOJA",
  role_id: 1,
  role: "owner",
  approval: "enabled",
  missing_documents: [],
  decision_reason: null,
});
const businesses = [business("biz_1"), business("biz_2")];

it("restores the remembered business while the seller still has it", () => {
  expect(pickBusiness(businesses, "biz_2")?.id).toBe("biz_2");
});

it("falls back to the first one", () => {
  expect(pickBusiness(businesses, "biz_3")?.id).toBe("biz_1");
  expect(pickBusiness(businesses, undefined)?.id).toBe("biz_1");
  expect(pickBusiness([], "biz_1")).toBeUndefined();
});

it("finds its cookie among others, and reads back the value it wrote", () => {
  const written = businessCookie("biz_2").split(";")[0];
  expect(rememberedBusiness(`theme=dark; ${written}; other_current_business=x`)).toBe("biz_2");
  expect(rememberedBusiness("theme=dark")).toBeUndefined();
});

it("keeps the cookie for thirty days on every path", () => {
  expect(businessCookie("biz_1")).toContain("Path=/; Max-Age=2592000");
});
