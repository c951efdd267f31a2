// The call about one sale that each panel has: sellers read a sale of their own, staff one of any company.
import { type PanelName, panel } from "../../api/panel";

const callsOf = {
  seller: { explanation: "/transactions/{id}/explanation" },
  admin: { explanation: "/admin/transactions/{id}/explanation" },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];
