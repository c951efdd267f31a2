// Shared by the seller's screens of sales: the current company's sales and their totals, by the filters of the address.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useList } from "../../components/table/useList";
import { type ChosenSales, type SellerFilters, useSaleQuery } from "./filters";

/** Reads only the sales of `solution`, if it is given. `file` begins the name of the downloaded spreadsheet. */
export function useSellerSales(filters: SellerFilters, file: string, solution?: number) {
  const business = useBusiness();
  const saleQuery = useSaleQuery();
  const query = (chosen: ChosenSales) => ({
    ...saleQuery(chosen),
    business_id: business.id,
    ...(solution !== undefined && { solution }),
  });
  const list = useList("/transactions", {
    filters,
    query: (chosen, order) => ({ ...query(chosen), order }),
    file,
    company: business.name,
  });
  const totals = useApi("/transactions/totals", { query: query(list.chosen) });
  return { list, totals, status: list.chosen.status };
}
