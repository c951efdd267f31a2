// The columns of the list of companies, and the same row as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { BusinessRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ApprovalBadge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";

const words = companiesStrings.list;
const titles = words.columns;

/** The navigation keeps the list's address, so that the way back restores filters and page. */
export function companyTarget({ id, name }: BusinessRow): RowTarget {
  return {
    to: `/empresas/${id}`,
    state: { list: window.location.pathname + window.location.search },
    label: words.open(name),
  };
}

export const HIDDEN_AT_FIRST = ["trade_name"] as const;

const column = createColumnHelper<Features, BusinessRow>();

/** The gateway orders by one of two columns; only that one has the arrow. */
function columnsOrderedBy(ordered: "created_at" | "name") {
  return column.columns([
    column.accessor((company) => company.name, {
      id: "name",
      header: titles.name,
      enableHiding: false,
      enableSorting: ordered === "name",
      cell: ({ row }) => <RowLink target={companyTarget(row.original)}>{row.original.name}</RowLink>,
    }),
    column.display({
      id: "trade_name",
      header: titles.trade_name,
      enableSorting: false,
      cell: ({ row }) => row.original.trade_name ?? companiesStrings.company.none,
    }),
    column.display({
      id: "document",
      header: titles.document,
      enableSorting: false,
      cell: ({ row }) => taxId(row.original.document),
    }),
    column.display({
      id: "type",
      header: titles.type,
      enableSorting: false,
      cell: ({ row }) => strings.businessType[row.original.type],
    }),
    column.display({
      id: "approval",
      header: titles.approval,
      enableSorting: false,
      cell: ({ row }) => <ApprovalBadge approval={row.original.approval} />,
    }),
    column.accessor((company) => company.created_at, {
      id: "created_at",
      header: titles.created_at,
      enableSorting: ordered === "created_at",
      cell: ({ row }) => <Instant at={row.original.created_at} />,
    }),
  ]);
}

export const companyColumns = {
  created_at: columnsOrderedBy("created_at"),
  name: columnsOrderedBy("name"),
};

export const companyCard = (company: BusinessRow): Card => ({
  title: company.name,
  value: "",
  note: (
    <>
      {taxId(company.document)} · <Instant at={company.created_at} />
    </>
  ),
  badge: <ApprovalBadge approval={company.approval} />,
});
