import { expect, it } from "vitest";
import type { SaleEvent, SaleStatus } from "../../api/models";
import { broughtForwardText, reasonSchema, whyNotUndone } from "./undoing";

const events = (...types: SaleEvent["type"][]) => types.map((type) => ({ type }));

it("lets only an approved sale be undone", () => {
  const statuses: SaleStatus[] = [
    "new",
    "created",
    "pending",
    "failed",
    "canceled",
    "refunded",
    "reversed",
    "dispute",
    "charged_back",
  ];
  expect(whyNotUndone("succeeded")).toBeUndefined();
  for (const status of statuses) expect(whyNotUndone(status)).toMatch(/\.$/);
  expect(whyNotUndone("dispute")).not.toBe(whyNotUndone("canceled"));
});

it("says what brought instalments forward", () => {
  expect(broughtForwardText(events("SaleCaptured", "SaleCanceled"))).toBe("Antecipada pelo cancelamento");
  expect(broughtForwardText(events("SaleCaptured", "SaleChargedBack"))).toBe("Antecipada pelo chargeback");
  expect(broughtForwardText(events("SaleCaptured", "ReceivablesSettled"))).toBeUndefined();
});

it("keeps to the first that undid the sale: what was won back may be cancelled later", () => {
  expect(broughtForwardText(events("SaleDisputed", "DisputeWon", "SaleCanceled"))).toBe(
    "Antecipada pela contestação",
  );
});

it("takes a reason of 200 characters, or none", () => {
  const accepts = (reason: string) => reasonSchema.safeParse({ reason }).success;
  expect(accepts("")).toBe(true);
  expect(accepts("x".repeat(200))).toBe(true);
  expect(accepts("x".repeat(201))).toBe(false);
});
