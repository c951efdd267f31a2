// Shared by the seller's screens of sales: the current company's sales and their totals, by the filters of the address.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useList, useListState } from "../../components/table/listState";
import { useSaleFilters } from "./filters";

/** Reads only the sales of `solution`, if it is given. `file` begins the name of the downloaded spreadsheet. */
export function useSellerSales(file: string, solution?: number) {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const query = { ...filters.query, business_id: business.id, ...(solution !== undefined && { solution }) };
  const { read, download } = useList(
    "/transactions",
    { query: { ...query, order: list.order } },
    list,
    file,
    business.name,
  );
  const totals = useApi("/transactions/totals", { query });
  return { business, screen: { sales: read, totals, list, filters, download } };
}
