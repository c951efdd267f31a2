// The pages of the panels' screens, in the groups of the navigation. Sidebar, tabs, breadcrumb and the bar of a phone
// follow from here: a new screen is a line of its group. Titles and roles come from the access table; a screen without
// a page here is not served.
import {
  IconActivity,
  IconBuildingStore,
  IconCashBanknote,
  IconChartBar,
  IconDeviceMobile,
  IconLayoutDashboard,
  IconLink,
  IconMessages,
  IconReceipt,
  IconSettings,
  IconWallet,
} from "@tabler/icons-react";
import { type ComponentType, lazy } from "react";
import { type Screen, screenOf } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import { screens } from "../api/tables";
import { strings } from "../strings/pt-BR";
import { COMPANY_DETAILS, LOGIN, LOGOUT, MY_ACCOUNT, UNAUTHORIZED } from "./addresses";

const words = strings.shell.pages;

interface Page {
  page: ComponentType;
  /** The name in the navigation, if it is not the title. */
  label?: string;
  /** Whether the navigation leaves the page out. It also leaves out the pages of one record. */
  unlisted?: boolean;
  /** Whether the page is shown without header and navigation. */
  bare?: boolean;
  /** Whether the page needs no company: it opens for sellers without one too. */
  personal?: boolean;
}

export interface PanelRoute extends Page {
  screen: Screen;
}

type Pages = Readonly<Record<string, Page>>;

interface Group {
  label: string;
  icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  /** Whether a phone shows it in the bar rather than behind "Mais", if the user may open it. */
  inBar?: boolean;
  /** Whether it stands at the foot of the sidebar. */
  atFoot?: boolean;
  pages: Pages;
}

const page = (load: () => Promise<{ default: ComponentType }>, more: Omit<Page, "page"> = {}): Page => ({
  ...more,
  page: lazy(load),
});

/** A report of `features/reports/pages`, which is one chunk. */
const report = (name: keyof typeof import("../features/reports/pages").pages): Page => ({
  page: lazy(async () => ({ default: (await import("../features/reports/pages")).pages[name] })),
});

/** In both panels. */
const withdrawal = page(() => import("../features/withdrawals/page/WithdrawalPage"));

/** The pages that are in no group. */
const session: Pages = {
  [LOGIN]: page(() => import("../features/sessions/LoginPage"), { bare: true }),
  [LOGOUT]: page(() => import("../features/sessions/LogoutPage"), { bare: true }),
  "/esqueci-minha-senha": page(() => import("../features/sessions/ForgotPasswordPage"), { bare: true }),
  "/resetar-senha": page(() => import("../features/sessions/ResetPasswordPage"), { bare: true }),
  "/verificar-email": page(() => import("../features/sessions/VerifyEmailPage"), { bare: true }),
  [UNAUTHORIZED]: page(() => import("../features/sessions/UnauthorizedPage"), { personal: true }),
};

/** In both panels. */
const account = page(() => import("../features/account/AccountPage"), { personal: true });

const WORDS = strings.shell.groups;

const seller: readonly Group[] = [
  {
    label: WORDS.home,
    icon: IconLayoutDashboard,
    inBar: true,
    pages: { "/": page(() => import("../features/overview/OverviewPage")) },
  },
  {
    label: WORDS.sales,
    icon: IconReceipt,
    inBar: true,
    pages: {
      "/vendas": page(() => import("../features/sales/SalesPage")),
      "/vendas/:id": page(() => import("../features/sales/SalePage")),
    },
  },
  {
    label: WORDS.machine,
    icon: IconDeviceMobile,
    pages: {
      "/maquininha": page(() => import("../features/terminals/MachinePage"), { label: words.machines }),
      "/maquininha/vendas": page(() => import("../features/sales/MachineSalesPage")),
      "/maquininha/vendas/:id": page(() => import("../features/sales/SalePage")),
      "/maquininha/calculadora": page(() => import("../features/fees/CardMachineCalculatorPage")),
      "/maquininha/taxas": page(() => import("../features/fees/CardMachineFeesPage")),
    },
  },
  {
    label: WORDS.links,
    icon: IconLink,
    inBar: true,
    pages: {
      "/links-de-pagamento": page(() => import("../features/links/LinksPage")),
      "/links-de-pagamento/novo": page(() => import("../features/links/NewLinkPage"), { unlisted: true }),
      "/links-de-pagamento/vendas": page(() => import("../features/sales/LinkSalesPage")),
      "/links-de-pagamento/vendas/:id": page(() => import("../features/sales/SalePage")),
      "/links-de-pagamento/:id": page(() => import("../features/links/LinkPage")),
      "/links-de-pagamento/calculadora": page(() => import("../features/fees/LinkCalculatorPage")),
      "/links-de-pagamento/taxas": page(() => import("../features/fees/LinkFeesPage")),
    },
  },
  {
    label: WORDS.finance,
    icon: IconWallet,
    inBar: true,
    pages: {
      "/financeiro": page(() => import("../features/balance/FinancePage"), { label: words.balance }),
      "/financeiro/saques/:id": withdrawal,
      "/recebimentos": page(() => import("../features/receivables/ReceivablesPage")),
      "/financeiro/valores-retidos": page(() => import("../features/holds/HoldsPage")),
      "/financeiro/valores-retidos/:id": page(() => import("../features/holds/HoldPage")),
    },
  },
  {
    label: WORDS.reports,
    icon: IconChartBar,
    pages: {
      "/relatorios/totais": report("totals"),
      "/relatorios/financeiro": report("financial"),
      "/relatorios/totais-por-terminal": report("terminals"),
      "/relatorios/fechamento": page(() => import("../features/reports/ClosingPage")),
      "/relatorios/por-email": page(() => import("../features/reports/ReportEmailsPage")),
      "/relatorios/historico": page(() => import("../features/history/HistoryPage")),
    },
  },
  {
    label: WORDS.settings,
    icon: IconSettings,
    pages: {
      "/configuracoes": page(() => import("../features/settings/SettingsPage"), {
        personal: true,
        label: words.settings,
      }),
      [COMPANY_DETAILS]: page(() => import("../features/companies/OwnCompanyPage")),
      "/configuracoes/conta-bancaria": page(() => import("../features/companies/BankAccountPage")),
      "/usuarios": page(() => import("../features/users/UsersPage")),
      "/usuarios/:id": page(() => import("../features/users/UserPage")),
      "/configuracoes/usuarios": page(() => import("../features/users/SettingsUsersPage"), {
        unlisted: true,
      }),
      [MY_ACCOUNT]: account,
    },
  },
  {
    label: WORDS.contact,
    icon: IconMessages,
    atFoot: true,
    pages: { "/fale-com-a-gente": page(() => import("../features/contact/ContactPage")) },
  },
];

const admin: readonly Group[] = [
  {
    label: WORDS.home,
    icon: IconLayoutDashboard,
    inBar: true,
    pages: { "/": page(() => import("../features/overview/StaffHomePage")) },
  },
  {
    label: WORDS.sales,
    icon: IconReceipt,
    inBar: true,
    pages: {
      "/vendas": page(() => import("../features/sales/StaffSalesPage"), { label: words.sales }),
      "/vendas/:id": page(() => import("../features/sales/StaffSalePage")),
      "/links-de-pagamento": page(() => import("../features/links/StaffLinksPage")),
    },
  },
  {
    label: WORDS.companies,
    icon: IconBuildingStore,
    inBar: true,
    pages: {
      "/empresas": page(() => import("../features/companies/CompaniesPage"), { label: words.companies }),
      "/empresas/nova": page(() => import("../features/companies/NewCompanyPage"), { unlisted: true }),
      "/empresas/:id": page(() => import("../features/companies/CompanyPage")),
      "/empresas/:id/saldo": page(() => import("../features/balance/BusinessBalancePage")),
      "/usuarios": page(() => import("../features/users/StaffUsersPage")),
      "/usuarios/:id": page(() => import("../features/users/StaffUserPage")),
      "/terminais": page(() => import("../features/terminals/TerminalsPage")),
    },
  },
  {
    label: WORDS.withdrawals,
    icon: IconCashBanknote,
    inBar: true,
    pages: {
      "/saques": page(() => import("../features/withdrawals/WithdrawalsPage"), { label: words.withdrawals }),
      "/saques/:id": withdrawal,
      "/saques/retencoes": page(() => import("../features/holds/StaffHoldsPage")),
      "/saques/retencoes/:id": page(() => import("../features/holds/StaffHoldPage")),
    },
  },
  {
    label: WORDS.reports,
    icon: IconChartBar,
    pages: {
      "/relatorios/pagamentos": page(() => import("../features/reports/PaymentsReport")),
      "/relatorios/faturamento": report("billing"),
      "/relatorios/faturamento/empresas": report("billingByCompany"),
      "/relatorios/vendas/totais": report("totalSales"),
      "/relatorios/vendas/terminais": report("companyTerminals"),
      "/relatorios/fechamento": page(() => import("../features/reports/ClosingPage")),
      "/relatorios/por-email": page(() => import("../features/reports/ReportEmailsPage")),
    },
  },
  {
    label: WORDS.operations,
    icon: IconActivity,
    pages: {
      "/ajustes/operacao": page(() => import("../features/operations/OperationsPage"), {
        label: words.operations,
      }),
      "/ajustes/excecoes": page(() => import("../features/exceptions/ExceptionsPage")),
      "/ajustes/conciliacao": page(() => import("../features/reconciliation/ReconciliationPage")),
      "/ajustes/historico": page(() => import("../features/history/StaffHistoryPage")),
      "/ajustes/registro": page(() => import("../features/audit/AuditLogPage")),
    },
  },
  {
    label: WORDS.settings,
    icon: IconSettings,
    pages: {
      "/ajustes": page(() => import("../features/settings/SettingsPage"), { label: words.settings }),
      "/ajustes/usuarios": page(() => import("../features/users/adminUsers/AdminUsersPage")),
      "/ajustes/usuarios/:id": page(() => import("../features/users/adminUsers/AdminUserPage")),
      "/ajustes/planos": page(() => import("../features/plans/PlansPage")),
      "/ajustes/regras": page(() => import("../features/settings/RulesPage")),
      "/ajustes/feriados": page(() => import("../features/holidays/HolidaysPage")),
      "/ajustes/adquirentes": page(() => import("../features/acquirers/AcquirersPage")),
      "/ajustes/compradores": page(() => import("../features/buyers/BuyersPage")),
      "/ajustes/configuracoes": page(() => import("../features/settings/TenantsPage")),
      [MY_ACCOUNT]: account,
    },
  },
  {
    label: WORDS.messages,
    icon: IconMessages,
    atFoot: true,
    pages: { "/ajustes/mensagens": page(() => import("../features/contact/MessagesPage")) },
  },
];

/** Joins pages with their rows of the table. A page without a row throws when the panel starts. */
export function joinPages(panel: Screen["panel"], pages: Pages, table = screens): readonly PanelRoute[] {
  return Object.entries(pages).map(([route, page]) => ({ ...page, screen: screenOf(table, panel, route) }));
}

/** A group with its pages, in the order of the navigation. */
export interface PanelGroup extends Omit<Group, "pages"> {
  pages: readonly PanelRoute[];
}

const joinGroups = (panel: PanelName, groups: readonly Group[]): readonly PanelGroup[] =>
  groups.map((group) => ({ ...group, pages: joinPages(panel, group.pages) }));

export const groups: Record<PanelName, readonly PanelGroup[]> = {
  seller: joinGroups("seller", seller),
  admin: joinGroups("admin", admin),
};

const routesOf = (panel: PanelName) => [
  ...joinPages(panel, session),
  ...groups[panel].flatMap(({ pages }) => pages),
];

export const routes: Record<PanelName, readonly PanelRoute[]> = {
  seller: routesOf("seller"),
  admin: routesOf("admin"),
};
