// The companies with a negative available balance.
import { IconScale } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { NegativeBalance } from "../../api/models";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { money } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { BusinessCell, balanceTarget } from "./BusinessCell";
import styles from "./Operations.module.css";
import { OperationsList } from "./OperationsList";

const column = createColumnHelper<Features, NegativeBalance>();
const columns = column.columns([
  column.display({
    id: "business",
    header: words.columns.business,
    enableHiding: false,
    cell: ({ row }) => <BusinessCell row={row.original} />,
  }),
  column.display({
    id: "available",
    header: words.columns.available,
    enableHiding: false,
    meta: { align: "end" },
    cell: ({ row }) => <span className={styles.negative}>{money(row.original.available)}</span>,
  }),
]);

const card = (company: NegativeBalance): Card => ({
  title: company.business_name ?? words.unnamed,
  value: <span className={styles.negative}>{money(company.available)}</span>,
  note: null,
  badge: null,
});

export function NegativeBalances() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/negative-balances", { query: { page, perPage } });
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  return (
    <OperationsList
      name="negativeBalances"
      words={words.balances}
      icon={IconScale}
      columns={columns}
      list={list}
      read={read}
      rowId={({ business_id }) => business_id}
      rowTarget={(company) => (mayOpen ? balanceTarget(company) : undefined)}
      card={card}
    />
  );
}
