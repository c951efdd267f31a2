// The payment links of all companies, for staff, and below them the links whose card form is closed for a while after
// many declines.
import { IconLink } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { BusinessSelect, useNamedBusiness } from "../../components/BusinessSelect";
import { PageHeader } from "../../components/PageHeader";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { linksStrings } from "../../strings/pt-BR.links";
import {
  AMOUNT_COLUMN,
  CREATED_COLUMN,
  HIDDEN_AT_FIRST_FOR_STAFF,
  staffLinkCard,
  staffLinkColumns,
} from "./columns";
import { useLinkFilters } from "./filters";
import { LinkFilters } from "./LinkFilters";

const CardClosures = lazy(() => import("../buyers/CardClosures"));

const words = linksStrings.list;

export default function StaffLinksPage() {
  const filters = useLinkFilters();
  const list = useListState();
  const sort = filters.sort ?? "created_at";
  const chosen = useNamedBusiness(filters.business);
  const query = { ...filters.query, order: list.order };
  const { read, download } = useList("/admin/payment-links", { query }, list, words.file, chosen?.name);
  const company = (
    <BusinessSelect
      label={linksStrings.columns.business}
      placeholder={words.anyBusiness}
      size="sm"
      value={filters.business}
      onChange={(business) => filters.change({ business })}
      chosen={chosen}
    />
  );
  return (
    <>
      <PageHeader title={screenTitle("/links-de-pagamento")} hint={words.staffHint} />
      <DataTable
        key={sort}
        name={`staff-links-by-${sort}`}
        label={words.table}
        columns={staffLinkColumns[sort]}
        hiddenAtFirst={HIDDEN_AT_FIRST_FOR_STAFF}
        orderColumn={sort === "amount" ? AMOUNT_COLUMN : CREATED_COLUMN}
        {...(sort === "amount" && { orderWords: words.byAmount })}
        list={list}
        read={read}
        filters={<LinkFilters filters={filters} leadingFilter={company} />}
        empty={<EmptyList filters={filters} icon={IconLink} words={{ ...words, empty: words.staffEmpty }} />}
        rowId={({ id }) => id}
        card={staffLinkCard}
        download={download}
      />
      <Suspense>
        <CardClosures />
      </Suspense>
    </>
  );
}
