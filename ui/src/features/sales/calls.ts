// The calls about one sale that both panels have: sellers for a sale of their own, staff for one of any company.
import { type PanelName, panel } from "../../api/panel";

const callsOf = {
  seller: { explanation: "/transactions/{id}/explanation" },
  admin: { explanation: "/admin/transactions/{id}/explanation" },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];
