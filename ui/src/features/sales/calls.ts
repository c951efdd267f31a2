// The calls about one sale: for sellers of their companies' sales, for staff of all.
import { type PanelName, panel } from "../../api/panel";

const callsOf = {
  seller: { explanation: "/transactions/{id}/explanation" },
  admin: { explanation: "/admin/transactions/{id}/explanation" },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];
