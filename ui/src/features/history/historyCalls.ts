// The calls about the verified history.
import type {} from "../../api/historySchema";

export const historyCalls = {
  own: "/businesses/{business_id}/history",
  proof: "/businesses/{business_id}/history/proof",
  staff: "/admin/history",
  keys: "/ledger/keys",
} as const;
