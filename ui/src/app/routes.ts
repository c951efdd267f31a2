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
  IconListSearch,
  IconLock,
  IconMail,
  IconMessages,
  IconReceipt,
  IconReportMoney,
  IconScale,
  IconSettings,
  IconShieldCheck,
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

const page = (load: () => Promise<{ default: ComponentType }>, more: Omit<Page, "page"> = {}): Page => ({
  ...more,
  page: lazy(load),
});

/** A report of `features/reports/pages`, which is one chunk. */
const report = (name: keyof typeof import("../features/reports/pages").pages): Page => ({
  icon: IconChartBar,
  page: lazy(async () => ({ default: (await import("../features/reports/pages")).pages[name] })),
});

/** In both panels. */
const withdrawal = page(() => import("../features/withdrawals/page/WithdrawalPage"));

const session: Pages = {
  [LOGIN]: page(() => import("../features/sessions/LoginPage"), { bare: true }),
  [LOGOUT]: page(() => import("../features/sessions/LogoutPage"), { bare: true }),
  "/esqueci-minha-senha": page(() => import("../features/sessions/ForgotPasswordPage"), { bare: true }),
  "/resetar-senha": page(() => import("../features/sessions/ResetPasswordPage"), { bare: true }),
  "/verificar-email": page(() => import("../features/sessions/VerifyEmailPage"), { bare: true }),
  [UNAUTHORIZED]: page(() => import("../features/sessions/UnauthorizedPage"), { personal: true }),
  [MY_ACCOUNT]: page(() => import("../features/account/AccountPage"), { personal: true }),
};

const seller: Pages = {
  ...session,
  "/": page(() => import("../features/overview/OverviewPage"), { icon: IconLayoutDashboard }),
  "/vendas": page(() => import("../features/sales/SalesPage"), { icon: IconReceipt }),
  "/vendas/:id": page(() => import("../features/sales/SalePage")),
  "/maquininha": page(() => import("../features/terminals/MachinePage"), { icon: IconDeviceMobile }),
  "/maquininha/vendas": page(() => import("../features/sales/MachineSalesPage")),
  "/maquininha/vendas/:id": page(() => import("../features/sales/SalePage")),
  "/financeiro": page(() => import("../features/balance/FinancePage"), { icon: IconWallet }),
  "/financeiro/saques/:id": withdrawal,
  "/financeiro/valores-retidos": page(() => import("../features/holds/HoldsPage"), { icon: IconLock }),
  "/financeiro/valores-retidos/:id": page(() => import("../features/holds/HoldPage")),
  "/recebimentos": page(() => import("../features/receivables/ReceivablesPage"), {
    icon: IconCalendarDollar,
  }),
  "/relatorios/totais": report("totals"),
  "/relatorios/financeiro": report("financial"),
  "/relatorios/totais-por-terminal": report("terminals"),
  "/relatorios/fechamento": page(() => import("../features/reports/ClosingPage"), { icon: IconReportMoney }),
  "/relatorios/por-email": page(() => import("../features/reports/ReportEmailsPage"), { icon: IconMail }),
  "/relatorios/historico": page(() => import("../features/history/HistoryPage"), { icon: IconShieldCheck }),
  "/maquininha/calculadora": page(() => import("../features/fees/CardMachineCalculatorPage"), {
    icon: IconCashBanknote,
    label: words.machineCalculator,
  }),
  "/maquininha/taxas": page(() => import("../features/fees/CardMachineFeesPage"), {
    icon: IconReceipt,
    label: words.machineFees,
  }),
  "/links-de-pagamento": page(() => import("../features/links/LinksPage"), { icon: IconLink }),
  "/links-de-pagamento/novo": page(() => import("../features/links/NewLinkPage")),
  "/links-de-pagamento/vendas": page(() => import("../features/sales/LinkSalesPage")),
  "/links-de-pagamento/vendas/:id": page(() => import("../features/sales/SalePage")),
  "/links-de-pagamento/:id": page(() => import("../features/links/LinkPage")),
  "/links-de-pagamento/calculadora": page(() => import("../features/fees/LinkCalculatorPage"), {
    icon: IconCashBanknote,
    label: words.linkCalculator,
  }),
  "/links-de-pagamento/taxas": page(() => import("../features/fees/LinkFeesPage"), {
    icon: IconReceipt,
    label: words.linkFees,
  }),
  "/usuarios": page(() => import("../features/users/UsersPage"), { icon: IconUsers }),
  "/usuarios/:id": page(() => import("../features/users/UserPage")),
  "/fale-com-a-gente": page(() => import("../features/contact/ContactPage"), { icon: IconMessages }),
  "/dados-da-empresa": page(() => import("../features/companies/OwnCompanyPage")),
  "/configuracoes/conta-bancaria": page(() => import("../features/companies/BankAccountPage")),
  "/configuracoes/usuarios": page(() => import("../features/users/SettingsUsersPage")),
  "/configuracoes": page(() => import("../features/settings/SettingsPage"), {
    icon: IconSettings,
    personal: true,
  }),
};

const admin: Pages = {
  ...session,
  "/": page(() => import("../features/overview/StaffHomePage"), { icon: IconLayoutDashboard }),
  "/vendas": page(() => import("../features/sales/StaffSalesPage"), { icon: IconReceipt }),
  "/vendas/:id": page(() => import("../features/sales/StaffSalePage")),
  "/empresas": page(() => import("../features/companies/CompaniesPage"), { icon: IconBuildingStore }),
  "/empresas/nova": page(() => import("../features/companies/NewCompanyPage")),
  "/empresas/:id": page(() => import("../features/companies/CompanyPage")),
  "/usuarios": page(() => import("../features/users/StaffUsersPage"), { icon: IconUsers }),
  "/usuarios/:id": page(() => import("../features/users/StaffUserPage")),
  "/terminais": page(() => import("../features/terminals/TerminalsPage"), { icon: IconDeviceMobile }),
  "/links-de-pagamento": page(() => import("../features/links/StaffLinksPage"), { icon: IconLink }),
  "/saques": page(() => import("../features/withdrawals/WithdrawalsPage"), { icon: IconCashBanknote }),
  "/saques/:id": withdrawal,
  "/saques/retencoes": page(() => import("../features/holds/StaffHoldsPage"), { icon: IconLock }),
  "/saques/retencoes/:id": page(() => import("../features/holds/StaffHoldPage")),
  "/empresas/:id/saldo": page(() => import("../features/balance/BusinessBalancePage")),
  "/relatorios/pagamentos": page(() => import("../features/reports/PaymentsReport"), { icon: IconChartBar }),
  "/relatorios/faturamento": report("billing"),
  "/relatorios/faturamento/empresas": report("billingByCompany"),
  "/relatorios/vendas/totais": report("totalSales"),
  "/relatorios/vendas/terminais": report("companyTerminals"),
  "/relatorios/fechamento": page(() => import("../features/reports/ClosingPage"), { icon: IconReportMoney }),
  "/relatorios/por-email": page(() => import("../features/reports/ReportEmailsPage"), { icon: IconMail }),
  "/ajustes/excecoes": page(() => import("../features/exceptions/ExceptionsPage"), {
    icon: IconAlertHexagon,
  }),
  "/ajustes/conciliacao": page(() => import("../features/reconciliation/ReconciliationPage"), {
    icon: IconScale,
  }),
  "/ajustes/operacao": page(() => import("../features/operations/OperationsPage"), { icon: IconActivity }),
  "/ajustes/historico": page(() => import("../features/history/StaffHistoryPage"), { icon: IconShieldCheck }),
  "/ajustes": page(() => import("../features/settings/SettingsPage"), { icon: IconSettings }),
  "/ajustes/usuarios": page(() => import("../features/users/adminUsers/AdminUsersPage")),
  "/ajustes/usuarios/:id": page(() => import("../features/users/adminUsers/AdminUserPage")),
  "/ajustes/feriados": page(() => import("../features/holidays/HolidaysPage")),
  "/ajustes/planos": page(() => import("../features/plans/PlansPage")),
  "/ajustes/mensagens": page(() => import("../features/contact/MessagesPage"), { icon: IconMessages }),
  "/ajustes/registro": page(() => import("../features/audit/AuditLogPage"), { icon: IconListSearch }),
  "/ajustes/compradores": page(() => import("../features/buyers/BuyersPage")),
  "/ajustes/regras": page(() => import("../features/settings/RulesPage")),
  "/ajustes/adquirentes": page(() => import("../features/acquirers/AcquirersPage")),
  "/ajustes/configuracoes": page(() => import("../features/settings/TenantsPage")),
};

/** Joins pages with their rows of the table. A page without a row throws when the panel starts. */
export function joinPages(panel: Screen["panel"], pages: Pages, table = screens): readonly PanelRoute[] {
  return Object.entries(pages).map(([route, page]) => ({ ...page, screen: screenOf(table, panel, route) }));
}

export const routes: Record<PanelName, readonly PanelRoute[]> = {
  seller: joinPages("seller", seller),
  admin: joinPages("admin", admin),
};
