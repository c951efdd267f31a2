import { expect, it } from "vitest";
import type { SaleEvent, SaleStatus } from "../../api/models";
import { acceleratedText, refundUnderWay, reversalDisabledReason } from "./reversalState";

const events = (...types: SaleEvent["type"][]) => types.map((type) => ({ type }));

it("lets only an approved sale be reversed", () => {
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
  expect(reversalDisabledReason("succeeded")).toBeUndefined();
  for (const status of statuses) expect(reversalDisabledReason(status)).toMatch(/\.$/);
  expect(reversalDisabledReason("dispute")).not.toBe(reversalDisabledReason("canceled"));
});

it("names the reversal that accelerated the installments", () => {
  expect(acceleratedText(events("SaleCaptured", "SaleCanceled"))).toBe("Antecipado por cancelamento");
  expect(acceleratedText(events("SaleCaptured", "SaleChargedBack"))).toBe("Antecipado por contestação");
  expect(acceleratedText(events("SaleCaptured", "ReceivablesSettled"))).toBeUndefined();
});

it("names the first of several reversals", () => {
  expect(acceleratedText(events("SaleDisputed", "DisputeWon", "SaleCanceled"))).toBe(
    "Antecipado por contestação",
  );
});

it("awaits a refund until the acquirer answers, or for a minute if none is requested", () => {
  const at = "2026-11-21T12:00:00Z";
  const later = (seconds: number) => Date.parse(at) + seconds * 1000;
  const cancel = { type: "SaleCanceled", initiator: "platform", recorded_at: at } as const;
  const canceled = { refunds: [], events: [cancel] };
  expect(refundUnderWay(canceled, later(5))).toBe(true);
  expect(refundUnderWay(canceled, later(600))).toBe(false);
  expect(refundUnderWay({ ...canceled, refunds: [{ status: "asked" }] }, later(600))).toBe(true);
  expect(refundUnderWay({ ...canceled, refunds: [{ status: "done" }] }, later(5))).toBe(false);
  expect(refundUnderWay({ ...canceled, refunds: [{ status: "refused" }] }, later(5))).toBe(false);
  const part = { ...cancel, type: "SalePartRefunded" } as const;
  expect(refundUnderWay({ ...canceled, events: [part] }, later(5))).toBe(true);
  expect(refundUnderWay({ ...canceled, events: [{ ...part, initiator: "acquirer" }] }, later(5))).toBe(false);
  expect(refundUnderWay({ ...canceled, events: [] }, later(5))).toBe(false);
});

it("awaits each of several refunds of parts", () => {
  const at = "2026-11-21T12:00:00Z";
  const soon = Date.parse(at) + 5_000;
  const part = { type: "SalePartRefunded", initiator: "platform", recorded_at: at } as const;
  const refunds = (...statuses: ("asked" | "done" | "refused")[]) => statuses.map((status) => ({ status }));
  expect(refundUnderWay({ refunds: refunds("asked", "done"), events: [part, part] }, soon)).toBe(true);
  expect(refundUnderWay({ refunds: refunds("done"), events: [part, part] }, soon)).toBe(true);
  expect(refundUnderWay({ refunds: refunds("done", "refused"), events: [part, part] }, soon)).toBe(false);
});
