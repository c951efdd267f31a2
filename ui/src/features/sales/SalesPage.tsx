// The sales of the seller's current company.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useList, useListState } from "../../components/table/listState";
import { salesStrings } from "../../strings/pt-BR.sales";
import { HIDDEN_AT_FIRST, saleCard, saleColumns } from "./columns";
import { useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = salesStrings.sales;

export default function SalesPage() {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const query = { ...filters.query, business_id: business.id };
  const { read, download } = useList(
    "/transactions",
    { query: { ...query, order: list.order } },
    list,
    words.file,
    business.name,
  );
  return (
    <SalesScreen
      name="sales"
      hint={words.hint}
      sales={read}
      totals={useApi("/transactions/totals", { query })}
      columns={saleColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      card={saleCard}
      list={list}
      filters={filters}
      download={download}
    />
  );
}
