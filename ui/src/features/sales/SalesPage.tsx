// Every sale of the seller's business.
import { useApi, useDownload } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import { HIDDEN_AT_FIRST, saleCard, saleColumns } from "./columns";
import { useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = strings.sales;

export default function SalesPage() {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { ...filters.query, business_id: business.id };
  return (
    <SalesScreen
      name="sales"
      hint={words.hint}
      sales={useApi("/transactions", { query: { ...query, page, perPage, order } })}
      totals={useApi("/transactions/totals", { query })}
      columns={saleColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      card={saleCard}
      list={list}
      filters={filters}
      download={useDownload("/transactions", { query: { ...query, order } }, words.file, business.name)}
    />
  );
}
