import { expect, it } from "vitest";
import type { SaleEvent, SaleStatus } from "../../api/models";
import { broughtForwardText, reasonSchema, refundUnderWay, whyNotUndone } from "./undoing";

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
  expect(broughtForwardText(events("SaleCaptured", "SaleCanceled"))).toBe("Antecipado por cancelamento");
  expect(broughtForwardText(events("SaleCaptured", "SaleChargedBack"))).toBe("Antecipado por contestação");
  expect(broughtForwardText(events("SaleCaptured", "ReceivablesSettled"))).toBeUndefined();
});

it("keeps to the first that undid the sale: what was won back may be cancelled later", () => {
  expect(broughtForwardText(events("SaleDisputed", "DisputeWon", "SaleCanceled"))).toBe(
    "Antecipado por contestação",
  );
});

it("takes a reason of 200 characters, or none", () => {
  const accepts = (reason: string) => reasonSchema.safeParse({ reason }).success;
  expect(accepts("")).toBe(true);
  expect(accepts("x".repeat(200))).toBe(true);
  expect(accepts("x".repeat(201))).toBe(false);
});

it("waits for a refund from the cancel until the acquirer has answered", () => {
  const at = "2026-11-21T12:00:00Z";
  const later = (seconds: number) => Date.parse(at) + seconds * 1000;
  const canceled = {
    status: "canceled",
    refund: null,
    events: [{ type: "SaleCanceled", recorded_at: at }],
  } as const;
  const author = { kind: "seller" as const, name: "Ana Souza" };
  const refund = { tries: 1, reason: null, updated_at: at, author };
  expect(refundUnderWay(canceled, later(5))).toBe(true);
  expect(refundUnderWay(canceled, later(600))).toBe(false);
  expect(refundUnderWay({ ...canceled, refund: { ...refund, status: "asked" } }, later(600))).toBe(true);
  expect(refundUnderWay({ ...canceled, refund: { ...refund, status: "done" } }, later(5))).toBe(false);
  expect(refundUnderWay({ ...canceled, refund: { ...refund, status: "refused" } }, later(5))).toBe(false);
  expect(refundUnderWay({ ...canceled, status: "reversed" }, later(5))).toBe(false);
  expect(refundUnderWay({ ...canceled, events: [] }, later(5))).toBe(false);
});
