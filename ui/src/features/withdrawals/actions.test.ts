import { expect, it } from "vitest";
import type { TransferStatus } from "../../api/models";
import { ACTIONS, commonDisabledReason, disabledReason } from "./actions";

const allowed = (status: TransferStatus, by_hand = false) =>
  ACTIONS.filter((action) => disabledReason(action, { kind: 0, status, by_hand }) === undefined);

it("allows a pending withdrawal to be approved, processed or refused", () => {
  expect(allowed(0)).toEqual(["approve", "process", "refuse"]);
});

it("allows a withdrawal paid by hand to be approved, failed or reopened", () => {
  expect(allowed(2, true)).toEqual(["approve", "fail", "pending"]);
});

it("allows no action while a bank processes the withdrawal", () => {
  expect(allowed(2)).toEqual([]);
});

it("allows a failed withdrawal to be reopened, and no action on a final one", () => {
  expect(allowed(4)).toEqual(["pending"]);
  expect(allowed(1)).toEqual([]);
  expect(allowed(3, true)).toEqual([]);
});

it("allows no action on a transfer that is not a withdrawal", () => {
  for (const action of ACTIONS)
    expect(disabledReason(action, { kind: 1, status: 0, by_hand: false })).toBeDefined();
});

it("enables an action on several withdrawals if one of them allows it, else gives all reasons", () => {
  const state = (status: TransferStatus) => ({ kind: 0 as const, status, by_hand: false });
  expect(commonDisabledReason("refuse", [state(1), state(0)])).toBeUndefined();
  expect(commonDisabledReason("refuse", [state(1), state(3)])).toBe(disabledReason("refuse", state(1)));
  expect(commonDisabledReason("approve", [state(1), state(4)])).toBe(
    `${disabledReason("approve", state(1))} ${disabledReason("approve", state(4))}`,
  );
});
