import { expect, it } from "vitest";
import type { TransferStatus } from "../../api/models";
import { ACTIONS, commonDisabledReason, disabledReason, returnDisabledReason } from "./actions";
import { APPROVED, FAILED, PENDING, PROCESSING, REFUSED, TERMINAL_RENTAL, WITHDRAWAL } from "./transferCodes";

/** The kind of an adjustment by staff. */
const ADJUSTMENT = 1;

const state = (status: TransferStatus, by_hand = false, fee_given_back: number | null = null) =>
  ({ kind: WITHDRAWAL, status, by_hand, fee_given_back }) as const;

const allowed = (...of: Parameters<typeof state>) =>
  ACTIONS.filter((action) => disabledReason(action, state(...of)) === undefined);

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

it("allows no action on a withdrawal that the bank returned", () => {
  expect(allowed(FAILED, false, 0)).toEqual([]);
});

it("allows a return of a paid withdrawal of which something reached the bank, once", () => {
  const reason = (status: TransferStatus, net_amount = 100, fee_given_back: number | null = null) =>
    returnDisabledReason({ ...state(status, false, fee_given_back), net_amount });
  expect(reason(APPROVED)).toBeUndefined();
  expect(reason(APPROVED, 0)).toBeDefined();
  expect(reason(FAILED, 100, 367)).toBeDefined();
  for (const status of [PENDING, PROCESSING, REFUSED, FAILED] as const) expect(reason(status)).toBeDefined();
  expect(
    returnDisabledReason({ kind: TERMINAL_RENTAL, status: APPROVED, net_amount: 1, fee_given_back: null }),
  ).toBeDefined();
});

it("allows no action on a transfer that is not a withdrawal", () => {
  for (const kind of [ADJUSTMENT, TERMINAL_RENTAL] as const)
    for (const action of ACTIONS) expect(disabledReason(action, { ...state(PENDING), kind })).toBeDefined();
});

it("enables an action on several withdrawals if one of them allows it, else gives all reasons", () => {
  expect(commonDisabledReason("refuse", [state(APPROVED), state(PENDING)])).toBeUndefined();
  expect(commonDisabledReason("refuse", [state(APPROVED), state(REFUSED)])).toBe(
    disabledReason("refuse", state(APPROVED)),
  );
  expect(commonDisabledReason("approve", [state(APPROVED), state(FAILED)])).toBe(
    `${disabledReason("approve", state(APPROVED))} ${disabledReason("approve", state(FAILED))}`,
  );
});
