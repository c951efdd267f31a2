// The sales of all companies, or of the one that staff choose.
import { useApi } from "../../api/hooks";
import { useList } from "../../components/table/useList";
import { salesStrings } from "../../strings/pt-BR.sales";
import { STAFF_HIDDEN_AT_FIRST, staffSaleCard, staffSaleColumns } from "./columns";
import { STAFF_FILTERS, useSaleQuery } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = salesStrings.sales;

export default function StaffSalesPage() {
  const saleQuery = useSaleQuery();
  const list = useList("/admin/transactions", {
    filters: STAFF_FILTERS,
    query: (chosen, order) => ({ ...saleQuery(chosen), order }),
    file: words.file,
  });
  return (
    <SalesScreen
      name="staff-sales"
      hint={words.staffHint}
      list={list}
      totals={useApi("/admin/transactions/totals", { query: saleQuery(list.chosen) })}
      status={list.chosen.status}
      columns={staffSaleColumns}
      hiddenAtFirst={STAFF_HIDDEN_AT_FIRST}
      card={staffSaleCard}
    />
  );
}
