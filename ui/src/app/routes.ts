// Both panels' pages as data: address, title, who may open it, and whether it is in the navigation.
// A page that does not exist yet has no line here.
import {
  IconAlertHexagon,
  IconCalendarDollar,
  IconCashBanknote,
  IconLayoutDashboard,
  IconReceipt,
  IconWallet,
} from "@tabler/icons-react";
import { type ComponentType, lazy } from "react";
import type { SellerRole } from "../api/models";
import { type PanelName, panel } from "../api/panel";
import { strings } from "../strings/pt-BR";

export interface PanelRoute {
  path: string;
  /** Absent: the tab keeps the default title. */
  title?: string;
  /** "public" needs no login; "*" is everyone signed in. */
  access: "public" | "*" | readonly (SellerRole | string)[];
  page: ComponentType;
  icon?: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  /** Shown on its own, without header and navigation. */
  bare?: boolean;
}

export const LOGIN = "/login";
export const UNAUTHORIZED = "/unauthorized";
export const LOGOUT = "/logout";

const session: PanelRoute[] = [
  {
    path: LOGIN,
    title: strings.login.title,
    access: "public",
    bare: true,
    page: lazy(() => import("../features/session/LoginPage")),
  },
  {
    path: LOGOUT,
    title: strings.logout.title,
    access: "*",
    bare: true,
    page: lazy(() => import("../features/session/LogoutPage")),
  },
  {
    path: UNAUTHORIZED,
    title: strings.unauthorized.title,
    access: "public",
    page: lazy(() => import("../features/session/UnauthorizedPage")),
  },
];

export const routes: Record<PanelName, readonly PanelRoute[]> = {
  seller: [
    ...session,
    {
      path: "/",
      title: strings.overview.title,
      access: "*",
      icon: IconLayoutDashboard,
      page: lazy(() => import("../features/overview/OverviewPage")),
    },
    {
      path: "/vendas",
      title: strings.sales.title,
      access: "*",
      icon: IconReceipt,
      page: lazy(() => import("../features/sales/SalesPage")),
    },
    {
      path: "/vendas/:id",
      title: strings.sale.title,
      access: "*",
      page: lazy(() => import("../features/sales/SalePage")),
    },
    {
      path: "/financeiro",
      title: strings.balance.title,
      access: ["owner", "admin"],
      icon: IconWallet,
      page: lazy(() => import("../features/balance/FinancePage")),
    },
    {
      path: "/recebimentos",
      title: strings.receivables.title,
      access: ["owner", "admin"],
      icon: IconCalendarDollar,
      page: lazy(() => import("../features/receivables/ReceivablesPage")),
    },
  ],
  admin: [
    ...session,
    {
      path: "/",
      title: strings.staffHome.title,
      access: "*",
      icon: IconLayoutDashboard,
      page: lazy(() => import("../features/staff/StaffHomePage")),
    },
    {
      path: "/vendas",
      title: strings.sales.title,
      access: ["admin", "commercial-supervisor", "sac"],
      icon: IconReceipt,
      page: lazy(() => import("../features/sales/StaffSalesPage")),
    },
    {
      path: "/vendas/:id",
      title: strings.sale.title,
      access: ["admin", "commercial-supervisor", "sac"],
      page: lazy(() => import("../features/sales/StaffSalePage")),
    },
    {
      path: "/saques",
      title: strings.queue.title,
      access: ["admin"],
      icon: IconCashBanknote,
      page: lazy(() => import("../features/balance/queue/WithdrawalsPage")),
    },
    {
      path: "/empresas/:id/saldo",
      title: strings.businessBalance.title,
      access: ["admin", "commercial-supervisor"],
      page: lazy(() => import("../features/balance/BusinessBalancePage")),
    },
    {
      path: "/ajustes/excecoes",
      title: strings.exceptions.title,
      access: ["admin", "commercial-supervisor"],
      icon: IconAlertHexagon,
      page: lazy(() => import("../features/exceptions/ExceptionsPage")),
    },
  ],
};

const STAFF_OWNER = "owner";

/** The platform's owner opens everything of the staff's panel; an owner of a business is a role like others. */
export function mayOpen(
  { access }: Pick<PanelRoute, "access">,
  roles: readonly string[],
  of: PanelName = panel,
): boolean {
  if (access === "public" || access === "*") return true;
  if (of === "admin" && roles.includes(STAFF_OWNER)) return true;
  return access.some((role) => roles.includes(role));
}
