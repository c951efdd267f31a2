import { expect, it } from "vitest";
import type { TransferStatus } from "../../api/models";
import { ACTIONS, commonDisabledReason, disabledReason } from "./actions";
import { APPROVED, FAILED, PENDING, PROCESSING, REFUSED, TERMINAL_RENTAL, WITHDRAWAL } from "./transferCodes";

/** The kind of an adjustment by staff. */
const ADJUSTMENT = 1;

const allowed = (status: TransferStatus, by_hand = false) =>
  ACTIONS.filter((action) => disabledReason(action, { kind: WITHDRAWAL, status, by_hand }) === undefined);

it("allows a pending withdrawal to be approved, processed or refused", () => {
  expect(allowed(PENDING)).toEqual(["approve", "process", "refuse"]);
});

it("allows a withdrawal paid by hand to be approved, failed or reopened", () => {
  expect(allowed(PROCESSING, true)).toEqual(["approve", "fail", "pending"]);
});

it("allows no action while a bank processes the withdrawal", () => {
  expect(allowed(PROCESSING)).toEqual([]);
});

it("allows a failed withdrawal to be reopened, and no action on a final one", () => {
  expect(allowed(FAILED)).toEqual(["pending"]);
  expect(allowed(APPROVED)).toEqual([]);
  expect(allowed(REFUSED, true)).toEqual([]);
});

it("allows no action on a transfer that is not a withdrawal", () => {
  for (const kind of [ADJUSTMENT, TERMINAL_RENTAL] as const)
    for (const action of ACTIONS)
      expect(disabledReason(action, { kind, status: PENDING, by_hand: false })).toBeDefined();
});

it("enables an action on several withdrawals if one of them allows it, else gives all reasons", () => {
  const state = (status: TransferStatus) => ({ kind: WITHDRAWAL, status, by_hand: false }) as const;
  expect(commonDisabledReason("refuse", [state(APPROVED), state(PENDING)])).toBeUndefined();
  expect(commonDisabledReason("refuse", [state(APPROVED), state(REFUSED)])).toBe(
    disabledReason("refuse", state(APPROVED)),
  );
  expect(commonDisabledReason("approve", [state(APPROVED), state(FAILED)])).toBe(
    `${disabledReason("approve", state(APPROVED))} ${disabledReason("approve", state(FAILED))}`,
  );
});
