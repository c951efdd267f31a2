// The companies with a negative available balance.
import { IconScale } from "@tabler/icons-react";
import { useMayOpen } from "../../api/access";
import type { NegativeBalance } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { BusinessCell, balanceTarget } from "./BusinessCell";
import styles from "./Operations.module.css";

const column = columnsFor<NegativeBalance>();
const columns = [
  column.shown("business", words.columns.business, (row) => <BusinessCell row={row} />, { fixed: true }),
  column.shown(
    "available",
    words.columns.available,
    (row) => <span className={styles.negative}>{money(row.available)}</span>,
    { align: "end", fixed: true },
  ),
  column.shown(
    "owesSince",
    words.columns.owesSince,
    ({ owes_since }) => owes_since && <Instant at={owes_since} />,
  ),
];

const card = (company: NegativeBalance): Card => ({
  title: company.business_name ?? words.unnamed,
  value: <span className={styles.negative}>{money(company.available)}</span>,
  note: company.owes_since && <Instant at={company.owes_since} />,
  badge: null,
});

export function NegativeBalances() {
  const list = useList("/admin/operations/negative-balances");
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  return (
    <DataTable
      name="negativeBalances"
      label={words.balances.table}
      words={words.balances}
      icon={IconScale}
      columns={columns}
      list={list}
      rowId={({ business_id }) => business_id}
      rowTarget={(company) => (mayOpen ? balanceTarget(company) : undefined)}
      card={card}
    />
  );
}
