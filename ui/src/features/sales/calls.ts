// The calls about one sale. Sellers read sales of their companies; staff read sales of any company.
import { type PanelName, panel } from "../../api/panel";

const callsOf = {
  seller: { explanation: "/transactions/{id}/explanation" },
  admin: { explanation: "/admin/transactions/{id}/explanation" },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];
