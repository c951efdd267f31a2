// The contents of the reports that Report renders: their rows, figures and columns.
import type { ReportName } from "../../api/models";
import type { Group } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import type { FigureKey } from "./figures";
import type { RowKind } from "./rows";
import type { ViewedReport } from "./SavedViewsMenu";

export type ReportPath =
  | "/transactions/report"
  | "/transactions/financial"
  | "/business/{businessId}/terminals/sales"
  | "/admin/transactions/financial/all"
  | "/admin/transactions/billing"
  | "/admin/transactions/billing/businesses"
  | "/admin/transactions/total/sales"
  | "/admin/businesses/{business_id}/terminals/sales";

export interface ReportDefinition {
  /** The columns and the refreshing are remembered under this name, so it must not change. */
  name: string;
  /** The gateway's name, under which saved views are kept. */
  report: ReportName;
  /** Its screen in the access table, which has the title. */
  route: string;
  path: ReportPath;
  /** The parts of the period if the address names none; the same as the gateway's default. */
  group: Group;
  hint: string;
  /** The beginning of the name of its files. */
  file: string;
  /** The kinds of rows that the table can show; the first is the default. */
  rows: readonly [RowKind, ...RowKind[]];
  /** Above the chart, with their changes. */
  figures: readonly FigureKey[];
  columns: readonly FigureKey[];
  hiddenAtFirst?: readonly FigureKey[];
  /** The parts of a stacked bar over time. They add up to one amount, such as net and fees to the gross. */
  stacked: readonly FigureKey[];
  /** The figure that ranked bars and shares compare. */
  ranked: FigureKey;
  /** Whether all sales are of card machines, so that there is no filter for the solution and for links. */
  machinesOnly?: boolean;
  /** Whether the figures and the table need a company. */
  needsCompany?: boolean;
}

const { hints, files } = reportStrings;

const TERMINALS = {
  name: "report-terminals",
  group: "day",
  file: files.terminals,
  rows: ["terminal", "period"],
  figures: ["count", "gross", "net", "ticket"],
  columns: ["count", "gross", "fees", "net", "ticket", "canceled", "refunded"],
  hiddenAtFirst: ["fees"],
  stacked: ["net", "fees"],
  ranked: "gross",
  machinesOnly: true,
} as const satisfies Partial<ReportDefinition>;

const BILLING = {
  file: files.billing,
  figures: ["platform_total", "platform_sales", "platform_withdrawals", "platform_rentals", "gross", "net"],
  columns: [
    "count",
    "gross",
    "fees",
    "net",
    "platform_sales",
    "platform_withdrawals",
    "platform_rentals",
    "platform_write_offs",
    "platform_total",
  ],
  stacked: ["platform_sales", "platform_withdrawals", "platform_rentals"],
} as const satisfies Partial<ReportDefinition>;

export const definitions = {
  totals: {
    name: "report-totals",
    report: "totals",
    route: "/relatorios/totais",
    path: "/transactions/report",
    group: "day",
    hint: hints.totals,
    file: files.totals,
    rows: ["period", "solution", "paymentType", "brand", "installments"],
    figures: ["count", "gross", "net", "ticket", "canceled", "refunded"],
    columns: ["count", "gross", "fees", "net", "ticket", "canceled", "refunded", "disputed", "settled"],
    hiddenAtFirst: ["disputed", "settled"],
    stacked: ["net", "fees"],
    ranked: "gross",
  },
  financial: {
    name: "report-financial",
    report: "financial",
    route: "/relatorios/financeiro",
    path: "/transactions/financial",
    group: "day",
    hint: hints.financial,
    file: files.financial,
    rows: ["period"],
    figures: ["gross", "fees", "net", "canceled", "disputed", "settled"],
    columns: [
      "count",
      "gross",
      "installment_gross",
      "percentage_fee",
      "flat_fee",
      "percentage_rate",
      "flat_rate",
      "fees",
      "net",
      "canceled",
      "refunded",
      "disputed",
      "charged_back",
      "settled",
    ],
    hiddenAtFirst: ["count", "installment_gross", "fees", "refunded", "charged_back"],
    stacked: ["net", "percentage_fee", "flat_fee", "percentage_rate", "flat_rate"],
    ranked: "gross",
  },
  terminals: {
    ...TERMINALS,
    report: "terminals",
    route: "/relatorios/totais-por-terminal",
    path: "/business/{businessId}/terminals/sales",
    hint: hints.terminals,
  },
  settled: {
    name: "report-settled",
    report: "settled",
    route: "/relatorios/pagamentos",
    path: "/admin/transactions/financial/all",
    group: "day",
    hint: hints.payments,
    file: files.settled,
    rows: ["company", "period"],
    figures: ["gross", "fees", "net", "settled"],
    columns: ["count", "gross", "fees", "net", "canceled", "refunded", "settled"],
    hiddenAtFirst: ["canceled", "refunded"],
    stacked: ["settled"],
    ranked: "settled",
  },
  billing: {
    ...BILLING,
    name: "report-billing",
    report: "billing",
    route: "/relatorios/faturamento",
    path: "/admin/transactions/billing",
    group: "day",
    hint: hints.billing,
    rows: ["period"],
    ranked: "platform_total",
  },
  billingByCompany: {
    ...BILLING,
    name: "report-billing-companies",
    report: "billing-businesses",
    route: "/relatorios/faturamento/empresas",
    path: "/admin/transactions/billing/businesses",
    group: "month",
    hint: hints.billingByCompany,
    file: files.billingByCompany,
    rows: ["company", "period"],
    ranked: "platform_total",
  },
  totalSales: {
    name: "report-total-sales",
    report: "total-sales",
    route: "/relatorios/vendas/totais",
    path: "/admin/transactions/total/sales",
    group: "month",
    hint: hints.totalSales,
    file: files.totalSales,
    rows: ["company", "period"],
    figures: ["count", "gross", "net", "ticket"],
    columns: ["count", "gross", "fees", "net", "ticket", "canceled", "refunded", "disputed"],
    hiddenAtFirst: ["fees", "disputed"],
    stacked: ["net", "fees"],
    ranked: "gross",
  },
  companyTerminals: {
    ...TERMINALS,
    report: "company-terminals",
    route: "/relatorios/vendas/terminais",
    path: "/admin/businesses/{business_id}/terminals/sales",
    hint: hints.companyTerminals,
    needsCompany: true,
  },
} as const satisfies Record<string, ReportDefinition>;

/** The part of a report's definition that saved views use. */
export const viewedReport = ({
  report,
  name,
  columns,
  hiddenAtFirst = [],
}: ReportDefinition): ViewedReport => ({
  report,
  table: name,
  columns,
  hiddenAtFirst,
});
