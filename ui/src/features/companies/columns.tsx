// The columns of the list of companies, and the same row as a card.
import type { BusinessRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ApprovalBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";

const words = companiesStrings.list;
const titles = words.columns;

export function companyTarget({ id, name }: BusinessRow): RowTarget {
  return {
    to: `/empresas/${id}`,
    label: words.open(name),
  };
}

export const HIDDEN_AT_FIRST = ["trade_name"] as const;

const column = columnsFor<BusinessRow>();

/** The gateway orders by one of two columns; only that one has the arrow. */
function columnsOrderedBy(ordered: "created_at" | "name") {
  return [
    column.ordered("name", titles.name, (row) => <RowLink target={companyTarget(row)}>{row.name}</RowLink>, {
      fixed: true,
      isOrder: ordered === "name",
    }),
    column.shown("trade_name", titles.trade_name, (row) => row.trade_name ?? companiesStrings.company.none),
    column.shown("document", titles.document, (row) => taxId(row.document)),
    column.shown("type", titles.type, (row) => strings.businessType[row.type]),
    column.shown("approval", titles.approval, (row) => <ApprovalBadge approval={row.approval} />),
    column.ordered("created_at", titles.created_at, (row) => <Instant at={row.created_at} />, {
      isOrder: ordered === "created_at",
    }),
  ];
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
