// The calls about one sale that both panels have: sellers for a sale of theirs, staff for any company's.
import { type PanelName, panel } from "../../api/panel";

export type Undoing = "cancel" | "dispute";

const callsOf = {
  seller: {
    explanation: "/transactions/{id}/explanation",
    preview: {
      cancel: "/transactions/{id}/chargeback/preview",
      dispute: "/transactions/{id}/dispute/preview",
    },
    undo: {
      cancel: "POST /transactions/{id}/chargeback",
      dispute: "POST /transactions/{id}/dispute",
    },
    /** What an undone sale changes. */
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
    explanation: "/admin/transactions/{id}/explanation",
    preview: {
      cancel: "/admin/transactions/{id}/chargeback/preview",
      dispute: "/admin/transactions/{id}/dispute/preview",
    },
    undo: {
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
