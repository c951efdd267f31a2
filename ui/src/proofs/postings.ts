// What each event takes from one account and adds to another, as in the table of docs/proof-format.md.
import type { Account, Accounts } from "./accounts";
import { isObject, type Json, list } from "./form";
import { need, Refusal } from "./refusal";

type Posting = readonly [from: Account, to: Account, cents: number];

const has = (e: Json, name: string) => e[name] !== undefined && e[name] !== null;

/** An amount in cents; 0 if there is none. */
function cents(e: Json, name: string): number {
  const value = has(e, name) ? e[name] : 0;
  need(Number.isSafeInteger(value), "form");
  return value as number;
}

function inner(e: Json, name: string): Json {
  const value = has(e, name) ? e[name] : {};
  need(isObject(value), "form");
  return value;
}

/** The net of all installments of a list. */
function nets(e: Json, name: string): number {
  const installments = list(has(e, name) ? e[name] : []);
  return installments.reduce((total: number, one) => {
    need(isObject(one), "form");
    return total + cents(one, "net");
  }, 0);
}

const accelerated = (e: Json): Posting => ["receivable", "available", nets(e, "brought_forward")];

/** From the installments, and what they do not have from the balance. */
const taken = (e: Json, installments: string, amount: number, to: Account): Posting[] => [
  ["receivable", to, nets(e, installments)],
  ["available", to, amount - nets(e, installments)],
];

const move = (from: Account, to: Account, name = "amount") => {
  return (e: Json): Posting[] => [[from, to, cents(e, name)]];
};
const none = (): Posting[] => [];

const POSTINGS: ReadonlyMap<string, (e: Json) => readonly Posting[]> = new Map(
  Object.entries({
    SaleCaptured: (e) => {
      const fees = inner(e, "fees");
      const parts = ["percentage_fee", "flat_fee", "percentage_rate", "flat_rate"];
      return [
        ["clearing", "receivable", cents(e, "net")],
        ["clearing", "platform_fees", parts.reduce((total, part) => total + cents(fees, part), 0)],
      ];
    },
    ReceivablesSettled: (e) => {
      const reserve = cents(inner(e, "reserve"), "total");
      return [
        ["receivable", "available", cents(e, "total") - reserve],
        ["receivable", "held_by_staff", reserve],
      ];
    },
    SaleCanceled: (e) =>
      has(e, "blocked_by")
        ? [
            accelerated(e),
            ["in_dispute", "clearing", cents(e, "amount")],
            ["platform_fees", "available", cents(e, "fees")],
          ]
        : [
            accelerated(e),
            ["available", "clearing", cents(e, "net")],
            ["platform_fees", "clearing", cents(e, "fees")],
          ],
    SalePartRefunded: (e) => [
      ...taken(e, "consumed", cents(e, "net"), "clearing"),
      ["platform_fees", "clearing", cents(e, "amount") - cents(e, "net")],
    ],
    SaleDisputed: (e) =>
      has(e, "part")
        ? taken(e, "part", cents(e, "amount"), "in_dispute")
        : [accelerated(e), ["available", "in_dispute", cents(e, "amount")]],
    SaleChargedBack: (e) =>
      has(e, "part")
        ? taken(e, "part", cents(e, "amount"), "clearing")
        : [
            accelerated(e),
            [has(e, "blocked_by") ? "in_dispute" : "available", "clearing", cents(e, "amount")],
          ],
    DisputeWon: move("in_dispute", "available"),
    TransferRequested: move("available", "in_transfer"),
    TransferApproved: (e) => [
      ["in_transfer", "clearing", cents(e, "amount") - cents(e, "fee")],
      ["in_transfer", "platform_fees", cents(e, "fee")],
    ],
    TransferRefused: move("in_transfer", "available"),
    TransferFailed: move("in_transfer", "available"),
    TransferReopened: move("available", "in_transfer", "taken"),
    TransferReturned: (e) => [
      ["clearing", "available", cents(e, "paid")],
      ["platform_fees", "available", cents(e, "fee")],
    ],
    ManualTransferMade: (e) => {
      need(e.direction === "out" || e.direction === "in", "unknown_event");
      return e.direction === "out"
        ? [["available", "clearing", cents(e, "amount")]]
        : [["clearing", "available", cents(e, "amount")]];
    },
    TerminalRentalCharged: move("available", "platform_fees"),
    TerminalRentalCanceled: move("platform_fees", "available"),
    AmountHeld: move("available", "held_by_staff"),
    HoldPlaced: move("available", "held_by_staff"),
    HoldRaised: move("available", "held_by_staff"),
    AmountReleased: move("held_by_staff", "available"),
    HoldReleased: move("held_by_staff", "available"),
    ReserveReleased: move("held_by_staff", "available", "total"),
    CourtPaid: move("held_by_staff", "clearing"),
    DebtWrittenOff: move("platform_fees", "available"),
    SaleCreated: none,
    SaleFailed: none,
    SaleVoided: none,
    SaleNamed: none,
    RefundAnswered: none,
    DisputeConfirmed: none,
    TransferApprovalGiven: none,
    TransferProcessing: none,
    HoldChanged: none,
  } satisfies Record<string, (e: Json) => readonly Posting[]>),
);

/** The postings of the event of a payload. */
export function postingsOf(type: string, version: string, payload: unknown): readonly Posting[] {
  const postings = POSTINGS.get(type);
  const isKnown = version === "1.0" || (version === "1.1" && type === "SaleVoided");
  if (!postings || !isKnown) throw new Refusal("unknown_event");
  need(isObject(payload) && Object.keys(payload).length === 1, "form");
  const e = payload[type];
  need(isObject(e), "form");
  return postings(e);
}

export function post(accounts: Accounts, postings: readonly Posting[]) {
  for (const [from, to, amount] of postings) {
    accounts[from] -= amount;
    accounts[to] += amount;
    need(Number.isSafeInteger(accounts[from]) && Number.isSafeInteger(accounts[to]), "form");
  }
}
