import { expect, test } from "vitest";
import { orderStatusText, parseBuyerSearch } from "./search";

test.each([
  ["529.982.247-25", { document: "52998224725" }],
  ["12.ABC.345/01DE-35", { document: "12ABC34501DE35" }],
  [" 7q2m4z9xkd ", { order: "7Q2M4Z9XKD" }],
  ["7Q2M4Z9XKU", undefined],
  ["Marina", undefined],
  ["", undefined],
])("%s is searched as %j", (typed, search) => {
  expect(parseBuyerSearch(typed)).toEqual(search);
});

test("an order's status is named, and an unknown one keeps its code", () => {
  expect([orderStatusText("paid"), orderStatusText("new")]).toEqual(["Pago", "new"]);
});
