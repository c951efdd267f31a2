// The statement's columns for sellers. Lines of a sale link to it.
import type { BalanceMovement } from "../../api/models";
import type { RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { columnsOf } from "./statementColumns";

const words = balanceStrings.statement;

/** The link to the sale of a line; undefined if it has none. */
export function saleLinkOfLine(line: BalanceMovement): RowTarget | undefined {
  if (!line.sale_id) return undefined;
  return { to: `/vendas/${line.sale_id}`, label: words.openSale(shortCode(line.sale_id)) };
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
