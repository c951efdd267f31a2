// A spreadsheet has all columns of its screen in the same order and words; it may have more. The gateway's tests
// compare its sheets with fixtures/sheets.json too.
import { expect, test, vi } from "vitest";
import sheets from "../../../fixtures/sheets.json";
import { journalColumns } from "../features/balance/journalColumns";
import { sellerStatementColumns } from "../features/balance/sellerStatementColumns";
import { staffStatementColumns } from "../features/balance/staffStatementColumns";
import { companyColumns } from "../features/companies/columns";
import { messageColumns } from "../features/contact/columns";
import { linkColumns, staffLinkColumns } from "../features/links/columns";
import { planChangeColumns } from "../features/plans/changeColumns";
import { planColumns, receivingPlanColumns } from "../features/plans/columns";
import { dayColumns } from "../features/receivables/dayColumns";
import { installmentColumns } from "../features/receivables/installmentColumns";
import { unitColumns } from "../features/receivables/unitColumns";
import { differenceColumns } from "../features/reconciliation/differenceColumns";
import { reportedColumns } from "../features/reconciliation/reportedColumns";
import { saleColumns, staffSaleColumns } from "../features/sales/columns";
import { ownTerminalColumns, terminalColumns } from "../features/terminals/columns";
import { adminUserColumns, staffUserColumns, userColumns } from "../features/users/columns";
import { queueColumns } from "../features/withdrawals/queueColumns";
import { transferColumns } from "../features/withdrawals/transferColumns";
import { reportEmailStrings } from "../strings/pt-BR.reportEmails";

// The cells' components need a document when they are imported.
vi.hoisted(() => vi.stubGlobal("document", { querySelector: () => null }));

const screens: Record<keyof typeof sheets, readonly { header?: unknown }[]> = {
  sales: saleColumns,
  staff_sales: staffSaleColumns,
  statement: sellerStatementColumns,
  staff_statement: staffStatementColumns.effective,
  transfers: transferColumns,
  staff_transfers: queueColumns,
  journal: journalColumns.effective,
  receivables: dayColumns,
  receivable_units: unitColumns,
  due_installments: installmentColumns,
  companies: companyColumns.created_at,
  team: userColumns,
  seller_users: staffUserColumns,
  staff_users: adminUserColumns,
  terminals: terminalColumns.serial_number,
  own_terminals: ownTerminalColumns,
  links: linkColumns.created_at,
  staff_links: staffLinkColumns.created_at,
  contact_messages: messageColumns,
  settlement_differences: differenceColumns,
  acquirer_receivables: reportedColumns,
  plans: planColumns,
  plan_changes: planChangeColumns,
  receiving_plans: receivingPlanColumns,
  // The screen has a list of terms instead of a table.
  report_emails: [
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
    const sheet: readonly unknown[] = sheets[name as keyof typeof sheets];
    expect(sheet.filter((title) => titles.includes(title))).toEqual(titles);
  },
);
