import { expect, it } from "vitest";
import { searchOfDay } from "./reserveTabs";

it("links to the installments of a day, of the same company and without other filters", () => {
  const search = searchOfDay("2026-12-22", "?business=biz_1&tab=calendar&page=3&state=used&order=desc");
  expect(search).toBe("?business=biz_1&tab=installments&release=2026-12-22");
});
