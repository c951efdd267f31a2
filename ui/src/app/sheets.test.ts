// A spreadsheet has all columns of its screen in the same order and words; it may have more.
import { expect, test, vi } from "vitest";
import sheets from "../api/sheets.json";
import { journalColumns } from "../features/balance/journalColumns";
import { sellerStatementColumns } from "../features/balance/sellerStatementColumns";
import { staffStatementColumns } from "../features/balance/staffStatementColumns";
import { companyColumns } from "../features/companies/columns";
import { messageColumns } from "../features/contact/columns";
import { documentColumns, holdColumns } from "../features/holds/staffColumns";
import { linkColumns, staffLinkColumns } from "../features/links/columns";
import { planChangeColumns } from "../features/plans/changeColumns";
import { planColumns, receivingPlanColumns } from "../features/plans/columns";
import { dayColumns } from "../features/receivables/dayColumns";
import { installmentColumns } from "../features/receivables/installmentColumns";
import { unitColumns } from "../features/receivables/unitColumns";
import { differenceColumns } from "../features/reconciliation/differenceColumns";
import { reportedColumns } from "../features/reconciliation/reportedColumns";
import { reservedColumns } from "../features/reserves/installmentColumns";
import { saleColumns, staffSaleColumns } from "../features/sales/columns";
import { ownTerminalColumns, terminalColumns } from "../features/terminals/columns";
import { adminUserColumns, staffUserColumns, userColumns } from "../features/users/columns";
import { queueColumns } from "../features/withdrawals/queueColumns";
import { transferColumns } from "../features/withdrawals/transferColumns";
import { reportEmailStrings } from "../strings/pt-BR.reportEmails";

// The cells' components need a document when they are imported.
vi.hoisted(() => vi.stubGlobal("document", { querySelector: () => null }));

/** `figures` are the titles of the figures of reports, which have no list. */
type Lists = Omit<typeof sheets, "figures">;

const screens: Record<keyof Lists, readonly { header?: unknown }[]> = {
  sales: saleColumns,
  staffSales: staffSaleColumns,
  statement: sellerStatementColumns,
  staffStatement: staffStatementColumns.effective,
  transfers: transferColumns,
  staffTransfers: queueColumns,
  journal: journalColumns.effective,
  receivables: dayColumns,
  receivableUnits: unitColumns,
  dueInstallments: installmentColumns,
  companies: companyColumns.created_at,
  team: userColumns,
  sellerUsers: staffUserColumns,
  staffUsers: adminUserColumns,
  terminals: terminalColumns.serial_number,
  ownTerminals: ownTerminalColumns,
  links: linkColumns.created_at,
  staffLinks: staffLinkColumns.created_at,
  contactMessages: messageColumns,
  holds: holdColumns,
  holdDocuments: documentColumns,
  reservedInstallments: reservedColumns,
  settlementDifferences: differenceColumns,
  acquirerReceivables: reportedColumns,
  plans: planColumns,
  planChanges: planChangeColumns,
  receivingPlans: receivingPlanColumns,
  // The screen has a list of terms instead of a table.
  reportEmails: [
    reportEmailStrings.next,
    reportEmailStrings.lastSent,
    reportEmailStrings.filters,
    reportEmailStrings.subscribedAt,
  ].map((header) => ({ header })),
};

test.each(Object.entries(screens))(
  "the sheet of %s has every column of its screen, in the same order",
  (name, columns) => {
    const titles = columns.map(({ header }) => header);
    const sheet: readonly unknown[] = Object.values(sheets[name as keyof typeof sheets]);
    expect(sheet.filter((title) => titles.includes(title))).toEqual(titles);
  },
);
