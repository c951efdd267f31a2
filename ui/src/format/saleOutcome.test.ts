import { expect, it } from "vitest";
import { earnedNet, outcomeOf } from "./saleOutcome";

it("counts a net amount as earned only where the seller keeps it", () => {
  expect(earnedNet({ status: "succeeded", net_amount: 285_00 })).toBe(285_00);
  for (const status of [
    "new",
    "created",
    "pending",
    "failed",
    "canceled",
    "refunded",
    "reversed",
    "dispute",
    "charged_back",
  ] as const) {
    expect(earnedNet({ status, net_amount: 285_00 }), status).toBeNull();
  }
});

it("distinguishes returned money from lost or blocked money", () => {
  expect(outcomeOf("refunded")).toBe("returned");
  expect(outcomeOf("charged_back")).toBe("lost");
  expect(outcomeOf("dispute")).toBe("blocked");
});
