// The calls that reverse a sale. Sellers reverse sales of their companies; staff reverse sales of any company. In the
// paths, which the specification fixes, `chargeback` is a cancel.
import { type PanelName, panel } from "../../api/panel";

export type Reversal = "cancel" | "dispute";

const callsOf = {
  seller: {
    preview: {
      cancel: "/transactions/{id}/chargeback/preview",
      dispute: "/transactions/{id}/dispute/preview",
    },
    reverse: {
      cancel: "POST /transactions/{id}/chargeback",
      dispute: "POST /transactions/{id}/dispute",
    },
    refreshes: [
      "/transactions/{id}",
      "/transactions",
      "/transactions/totals",
      "/balance/history",
      "/balance/daily",
      "/balance/transfers/quote",
      "/receivables",
      "/overview",
    ],
  },
  admin: {
    preview: {
      cancel: "/admin/transactions/{id}/chargeback/preview",
      dispute: "/admin/transactions/{id}/dispute/preview",
    },
    reverse: {
      cancel: "POST /admin/transactions/{id}/chargeback",
      dispute: "POST /admin/transactions/{id}/dispute",
    },
    refreshes: [
      "/admin/transactions/{id}",
      "/admin/transactions",
      "/admin/transactions/totals",
      "/admin/balance/history",
      "/admin/overview",
    ],
  },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];
