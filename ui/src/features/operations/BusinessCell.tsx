// The company of a row, as a link to its balance for those who may open it.
import { useMayOpen } from "../../api/access";
import type { RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { operationsStrings as words } from "../../strings/pt-BR.operations";

interface OfBusiness {
  business_id: string;
  business_name: string | null;
}

const nameOf = ({ business_name }: OfBusiness) => business_name ?? words.unnamed;

export function balanceTarget(row: OfBusiness): RowTarget {
  return { to: `/empresas/${row.business_id}/saldo`, label: words.openBalance(nameOf(row)) };
}

export function BusinessCell({ row }: { row: OfBusiness }) {
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  return mayOpen ? <RowLink target={balanceTarget(row)}>{nameOf(row)}</RowLink> : nameOf(row);
}
