// Whether the seller earned the money of a sale, by its status. The record is complete by type: a new status fails to
// compile here.
import type { SaleStatus } from "../api/models";

export type SaleOutcome = "earned" | "waiting" | "blocked" | "failed" | "returned" | "lost";

const OUTCOMES: Record<SaleStatus, SaleOutcome> = {
  new: "waiting",
  created: "waiting",
  pending: "waiting",
  succeeded: "earned",
  failed: "failed",
  canceled: "returned",
  refunded: "returned",
  reversed: "returned",
  dispute: "blocked",
  charged_back: "lost",
};

export function outcomeOf(status: SaleStatus): SaleOutcome {
  return OUTCOMES[status];
}

/** The net amount that the seller keeps; null unless the outcome is `earned`. */
export function earnedNet(sale: { status: SaleStatus; net_amount: number | null }): number | null {
  return outcomeOf(sale.status) === "earned" ? sale.net_amount : null;
}
