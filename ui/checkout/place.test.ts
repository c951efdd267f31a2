import { expect, it } from "vitest";
import { placeOf } from "./place";

it("knows its three addresses", () => {
  expect(placeOf("/pl/2f6f4f5a1b0b/")).toEqual({ page: "link", code: "2F6F4F5A1B0B" });
  expect(placeOf("/transacao/7Q2M/status")).toEqual({ page: "order", id: "7Q2M" });
  expect(placeOf("/b/7Q2M")).toEqual({ page: "boleto", id: "7Q2M" });
  for (const other of ["/", "/pl", "/pl/a/b", "/transacao/7Q2M"])
    expect(placeOf(other)).toEqual({ page: "unknown" });
});

it("keeps an id that is not valid percent-encoding as it is", () => {
  expect(placeOf("/b/%E0%A4%A")).toEqual({ page: "boleto", id: "%E0%A4%A" });
});
