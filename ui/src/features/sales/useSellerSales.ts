// Shared by the seller's screens of sales: the current company's sales and their totals, by the filters of the address.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useList, useListState } from "../../components/table/listState";
import { useSaleFilters } from "./filters";

/** With a solution, only its sales. The words begin the name of the spreadsheet's file. */
export function useSellerSales(words: string, solution?: number) {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const query = { ...filters.query, business_id: business.id, ...(solution !== undefined && { solution }) };
  const { read, download } = useList(
    "/transactions",
    { query: { ...query, order: list.order } },
    list,
    words,
    business.name,
  );
  const totals = useApi("/transactions/totals", { query });
  return { business, screen: { sales: read, totals, list, filters, download } };
}
