// The pages of the panels' screens. A page with an icon is an entry of the navigation, in this order. Titles
// and roles come from the access table; a screen without a page here is not served.
import {
  IconActivity,
  IconAlertHexagon,
  IconBuildingStore,
  IconCalendarDollar,
  IconCashBanknote,
  IconChartBar,
  IconDeviceMobile,
  IconLayoutDashboard,
  IconLink,
  IconMail,
  IconMessages,
  IconReceipt,
  IconReportMoney,
  IconScale,
  IconSettings,
  IconUsers,
  IconWallet,
} from "@tabler/icons-react";
import { type ComponentType, lazy } from "react";
import { type Screen, screenOf } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import { screens } from "../api/tables";
import { strings } from "../strings/pt-BR";
import { LOGIN, LOGOUT, MY_ACCOUNT, UNAUTHORIZED } from "./addresses";

const words = strings.shell.pages;

interface Page {
  page: ComponentType;
  /** Set if the page is in the navigation. */
  icon?: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  /** The name in the navigation, if another page has the same title. */
  label?: string;
  /** Whether the page is shown without header and navigation. */
  bare?: boolean;
  /** Whether the page needs no company: it opens for sellers without one too. */
  personal?: boolean;
}

export interface PanelRoute extends Page {
  screen: Screen;
}

type Pages = Readonly<Record<string, Page>>;

/** A report of `features/reports/pages`, which is one chunk. */
const report = (name: keyof typeof import("../features/reports/pages").pages): Page => ({
  icon: IconChartBar,
  page: lazy(async () => ({ default: (await import("../features/reports/pages")).pages[name] })),
});

const session: Pages = {
  [LOGIN]: { bare: true, page: lazy(() => import("../features/sessions/LoginPage")) },
  [LOGOUT]: { bare: true, page: lazy(() => import("../features/sessions/LogoutPage")) },
  "/esqueci-minha-senha": { bare: true, page: lazy(() => import("../features/sessions/ForgotPasswordPage")) },
  "/resetar-senha": { bare: true, page: lazy(() => import("../features/sessions/ResetPasswordPage")) },
  "/verificar-email": { bare: true, page: lazy(() => import("../features/sessions/VerifyEmailPage")) },
  [UNAUTHORIZED]: { personal: true, page: lazy(() => import("../features/sessions/UnauthorizedPage")) },
  [MY_ACCOUNT]: { personal: true, page: lazy(() => import("../features/account/AccountPage")) },
};

const seller: Pages = {
  ...session,
  "/": { icon: IconLayoutDashboard, page: lazy(() => import("../features/overview/OverviewPage")) },
  "/vendas": { icon: IconReceipt, page: lazy(() => import("../features/sales/SalesPage")) },
  "/vendas/:id": { page: lazy(() => import("../features/sales/SalePage")) },
  "/maquininha": {
    icon: IconDeviceMobile,
    page: lazy(() => import("../features/terminals/MachinePage")),
  },
  "/maquininha/vendas": { page: lazy(() => import("../features/sales/MachineSalesPage")) },
  "/maquininha/vendas/:id": { page: lazy(() => import("../features/sales/SalePage")) },
  "/financeiro": { icon: IconWallet, page: lazy(() => import("../features/balance/FinancePage")) },
  "/recebimentos": {
    icon: IconCalendarDollar,
    page: lazy(() => import("../features/receivables/ReceivablesPage")),
  },
  "/relatorios/totais": report("totals"),
  "/relatorios/financeiro": report("financial"),
  "/relatorios/totais-por-terminal": report("terminals"),
  "/relatorios/fechamento": {
    icon: IconReportMoney,
    page: lazy(() => import("../features/reports/ClosingPage")),
  },
  "/relatorios/por-email": {
    icon: IconMail,
    page: lazy(() => import("../features/reports/ReportEmailsPage")),
  },
  "/maquininha/calculadora": {
    icon: IconCashBanknote,
    label: words.machineCalculator,
    page: lazy(() => import("../features/fees/CardMachineCalculatorPage")),
  },
  "/maquininha/taxas": {
    icon: IconReceipt,
    label: words.machineFees,
    page: lazy(() => import("../features/fees/CardMachineFeesPage")),
  },
  "/links-de-pagamento": { icon: IconLink, page: lazy(() => import("../features/links/LinksPage")) },
  "/links-de-pagamento/novo": { page: lazy(() => import("../features/links/NewLinkPage")) },
  "/links-de-pagamento/vendas": { page: lazy(() => import("../features/sales/LinkSalesPage")) },
  "/links-de-pagamento/vendas/:id": { page: lazy(() => import("../features/sales/SalePage")) },
  "/links-de-pagamento/:id": { page: lazy(() => import("../features/links/LinkPage")) },
  "/links-de-pagamento/calculadora": {
    icon: IconCashBanknote,
    label: words.linkCalculator,
    page: lazy(() => import("../features/fees/LinkCalculatorPage")),
  },
  "/links-de-pagamento/taxas": {
    icon: IconReceipt,
    label: words.linkFees,
    page: lazy(() => import("../features/fees/LinkFeesPage")),
  },
  "/usuarios": { icon: IconUsers, page: lazy(() => import("../features/users/UsersPage")) },
  "/usuarios/:id": { page: lazy(() => import("../features/users/UserPage")) },
  "/fale-com-a-gente": {
    icon: IconMessages,
    page: lazy(() => import("../features/contact/ContactPage")),
  },
  "/dados-da-empresa": { page: lazy(() => import("../features/companies/OwnCompanyPage")) },
  "/configuracoes/conta-bancaria": { page: lazy(() => import("../features/companies/BankAccountPage")) },
  "/configuracoes/usuarios": { page: lazy(() => import("../features/users/SettingsUsersPage")) },
  "/configuracoes": {
    icon: IconSettings,
    personal: true,
    page: lazy(() => import("../features/settings/SettingsPage")),
  },
};

const admin: Pages = {
  ...session,
  "/": { icon: IconLayoutDashboard, page: lazy(() => import("../features/overview/StaffHomePage")) },
  "/vendas": { icon: IconReceipt, page: lazy(() => import("../features/sales/StaffSalesPage")) },
  "/vendas/:id": { page: lazy(() => import("../features/sales/StaffSalePage")) },
  "/empresas": {
    icon: IconBuildingStore,
    page: lazy(() => import("../features/companies/CompaniesPage")),
  },
  "/empresas/nova": { page: lazy(() => import("../features/companies/NewCompanyPage")) },
  "/empresas/:id": { page: lazy(() => import("../features/companies/CompanyPage")) },
  "/usuarios": { icon: IconUsers, page: lazy(() => import("../features/users/StaffUsersPage")) },
  "/usuarios/:id": { page: lazy(() => import("../features/users/StaffUserPage")) },
  "/terminais": {
    icon: IconDeviceMobile,
    page: lazy(() => import("../features/terminals/TerminalsPage")),
  },
  "/links-de-pagamento": { icon: IconLink, page: lazy(() => import("../features/links/StaffLinksPage")) },
  "/saques": { icon: IconCashBanknote, page: lazy(() => import("../features/withdrawals/WithdrawalsPage")) },
  "/empresas/:id/saldo": { page: lazy(() => import("../features/balance/BusinessBalancePage")) },
  "/relatorios/pagamentos": {
    icon: IconChartBar,
    page: lazy(() => import("../features/reports/PaymentsReport")),
  },
  "/relatorios/faturamento": report("billing"),
  "/relatorios/faturamento/empresas": report("billingByCompany"),
  "/relatorios/vendas/totais": report("totalSales"),
  "/relatorios/vendas/terminais": report("companyTerminals"),
  "/relatorios/fechamento": {
    icon: IconReportMoney,
    page: lazy(() => import("../features/reports/ClosingPage")),
  },
  "/relatorios/por-email": {
    icon: IconMail,
    page: lazy(() => import("../features/reports/ReportEmailsPage")),
  },
  "/ajustes/excecoes": {
    icon: IconAlertHexagon,
    page: lazy(() => import("../features/exceptions/ExceptionsPage")),
  },
  "/ajustes/conciliacao": {
    icon: IconScale,
    page: lazy(() => import("../features/reconciliation/ReconciliationPage")),
  },
  "/ajustes/operacao": {
    icon: IconActivity,
    page: lazy(() => import("../features/operations/OperationsPage")),
  },
  "/ajustes": { icon: IconSettings, page: lazy(() => import("../features/settings/SettingsPage")) },
  "/ajustes/usuarios": { page: lazy(() => import("../features/users/adminUsers/AdminUsersPage")) },
  "/ajustes/usuarios/:id": { page: lazy(() => import("../features/users/adminUsers/AdminUserPage")) },
  "/ajustes/feriados": { page: lazy(() => import("../features/holidays/HolidaysPage")) },
  "/ajustes/planos": { page: lazy(() => import("../features/plans/PlansPage")) },
  "/ajustes/mensagens": {
    icon: IconMessages,
    page: lazy(() => import("../features/contact/MessagesPage")),
  },
  "/ajustes/compradores": { page: lazy(() => import("../features/buyers/BuyersPage")) },
  "/ajustes/regras": { page: lazy(() => import("../features/settings/RulesPage")) },
  "/ajustes/adquirentes": { page: lazy(() => import("../features/acquirers/AcquirersPage")) },
  "/ajustes/configuracoes": { page: lazy(() => import("../features/settings/TenantsPage")) },
};

/** Joins pages with their rows of the table. A page without a row throws when the panel starts. */
export function joinPages(panel: Screen["panel"], pages: Pages, table = screens): readonly PanelRoute[] {
  return Object.entries(pages).map(([route, page]) => ({ ...page, screen: screenOf(table, panel, route) }));
}

export const routes: Record<PanelName, readonly PanelRoute[]> = {
  seller: joinPages("seller", seller),
  admin: joinPages("admin", admin),
};
