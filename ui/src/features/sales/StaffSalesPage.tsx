// The sales of all companies, or of the one that staff choose.
import { useApi } from "../../api/hooks";
import { BusinessSelect, type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { useList, useListState } from "../../components/table/listState";
import { salesStrings } from "../../strings/pt-BR.sales";
import { STAFF_HIDDEN_AT_FIRST, staffSaleCard, staffSaleColumns } from "./columns";
import { type SaleFilters, useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = salesStrings.sales;

export default function StaffSalesPage() {
  const filters = useSaleFilters();
  const list = useListState();
  const { query } = filters;
  const chosenBusiness = useNamedBusiness(filters.business);
  const { read, download } = useList(
    "/admin/transactions",
    { query: { ...query, order: list.order } },
    list,
    words.file,
    chosenBusiness?.name,
  );
  return (
    <SalesScreen
      name="staff-sales"
      hint={words.staffHint}
      sales={read}
      totals={useApi("/admin/transactions/totals", { query })}
      columns={staffSaleColumns}
      hiddenAtFirst={STAFF_HIDDEN_AT_FIRST}
      card={staffSaleCard}
      list={list}
      filters={filters}
      firstFilter={<CompanyFilter filters={filters} chosen={chosenBusiness} />}
      download={download}
    />
  );
}

interface CompanyFilterProps {
  filters: SaleFilters;
  chosen: NamedBusiness | undefined;
}

function CompanyFilter({ filters: { business, change }, chosen }: CompanyFilterProps) {
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
