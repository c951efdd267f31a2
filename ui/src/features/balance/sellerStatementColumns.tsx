// The statement's columns for sellers. A line of a sale or of a withdrawal leads to its page.
import type { BalanceMovement } from "../../api/models";
import type { RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { withdrawalAddress, withdrawalOf } from "../../components/WithdrawalLink";
import { money } from "../../format/money";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { columnsOf } from "./statementColumns";

const words = balanceStrings.statement;

/** The link to the sale of a line; undefined if it has none. */
function saleLinkOfLine(line: BalanceMovement): RowTarget | undefined {
  if (!line.sale_id) return undefined;
  return { to: `/vendas/${line.sale_id}`, label: words.openSale(shortCode(line.sale_id)) };
}

/** What a line opens: its withdrawal or its sale. Who sees the statement may open both. */
export function targetOfLine(line: BalanceMovement): RowTarget | undefined {
  const withdrawal = withdrawalOf(line);
  if (!withdrawal) return saleLinkOfLine(line);
  return {
    to: withdrawalAddress(withdrawal),
    label: withdrawalsStrings.page.open(money(Math.abs(line.amount))),
  };
}

const seller = columnsOf<BalanceMovement>("effective");
export const sellerStatementColumns = [
  // The time of recording is for staff.
  ...seller.facts.filter(({ id }) => id !== "recordedAt"),
  seller.column.shown("sale", words.columns.sale, (row) => {
    const target = saleLinkOfLine(row);
    if (!target || !row.sale_id) return strings.list.none;
    return <RowLink target={target}>{shortCode(row.sale_id)}</RowLink>;
  }),
  ...seller.amounts,
];
