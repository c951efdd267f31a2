// The sales of the seller's current company.
import { salesStrings } from "../../strings/pt-BR.sales";
import { HIDDEN_AT_FIRST, saleCard, saleColumns } from "./columns";
import { FILTERS } from "./filters";
import { SalesScreen } from "./SalesScreen";
import { useSellerSales } from "./useSellerSales";

const words = salesStrings.sales;

export default function SalesPage() {
  return (
    <SalesScreen
      {...useSellerSales(FILTERS, words.file)}
      name="sales"
      hint={words.hint}
      columns={saleColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      card={saleCard}
    />
  );
}
