// The sales of all companies, as staff see them, or of one that they choose.
import { useApi, useDownload } from "../../api/hooks";
import { BusinessSelect, type NamedBusiness, useBusinessName } from "../../components/BusinessSelect";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import { STAFF_HIDDEN_AT_FIRST, staffSaleCard, staffSaleColumns } from "./columns";
import { type SaleFilters, useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = strings.sales;

export default function StaffSalesPage() {
  const filters = useSaleFilters();
  const list = useListState();
  const { page, perPage, order } = list;
  const { query } = filters;
  const sales = useApi("/admin/transactions", { query: { ...query, page, perPage, order } });
  const chosen = useBusinessName(filters.business);
  return (
    <SalesScreen
      name="staff-sales"
      hint={words.staffHint}
      sales={sales}
      totals={useApi("/admin/transactions/totals", { query })}
      columns={staffSaleColumns}
      hiddenAtFirst={STAFF_HIDDEN_AT_FIRST}
      card={staffSaleCard}
      list={list}
      filters={filters}
      firstFilter={<Company filters={filters} chosen={chosen} />}
      download={useDownload("/admin/transactions", { query: { ...query, order } }, words.file, chosen?.name)}
    />
  );
}

interface CompanyProps {
  filters: SaleFilters;
  chosen: NamedBusiness | undefined;
}

function Company({ filters: { business, change }, chosen }: CompanyProps) {
  return (
    <BusinessSelect
      label={words.business}
      placeholder={words.anyBusiness}
      size="sm"
      value={business}
      onChange={(id) => change({ business: id })}
      chosen={chosen}
    />
  );
}
