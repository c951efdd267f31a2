// The payment links of all companies, for staff, and below them the links whose card form is closed for a while after
// many declines.
import { IconLink } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { useTimeZone } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { DataTable } from "../../components/table/DataTable";
import { given } from "../../components/table/filters";
import { useList } from "../../components/table/useList";
import { linksStrings } from "../../strings/pt-BR.links";
import {
  AMOUNT_COLUMN,
  CREATED_COLUMN,
  HIDDEN_AT_FIRST_FOR_STAFF,
  staffLinkCard,
  staffLinkColumns,
} from "./columns";
import { linkQuery, STAFF_FILTERS } from "./filters";

const CardClosures = lazy(() => import("../buyers/CardClosures"));

const words = linksStrings.list;

export default function StaffLinksPage() {
  const zone = useTimeZone();
  const list = useList("/admin/payment-links", {
    filters: STAFF_FILTERS,
    query: ({ business, ...chosen }, order) => ({
      ...linkQuery(chosen, zone),
      ...given({ business_id: business }),
      order,
    }),
    file: words.file,
  });
  const { sort } = list.chosen;
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
        icon={IconLink}
        words={{ ...words, empty: words.staffEmpty }}
        rowId={({ id }) => id}
        card={staffLinkCard}
      />
      <Suspense>
        <CardClosures />
      </Suspense>
    </>
  );
}
