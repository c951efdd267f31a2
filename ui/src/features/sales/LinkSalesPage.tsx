// The sales of the seller's payment links, of all or of the one whose code the user types.
import { PAYMENT_LINK } from "../../format/solutions";
import { linksStrings } from "../../strings/pt-BR.links";
import { linkSaleColumns, saleCard } from "./columns";
import { LINK_FILTERS } from "./filters";
import { SalesScreen } from "./SalesScreen";
import { useSellerSales } from "./useSellerSales";

const words = linksStrings.sales;
/** The solution is hidden because all sales here have the same one. */
const HIDDEN_AT_FIRST = ["solution", "capturedAt"] as const;

export default function LinkSalesPage() {
  return (
    <SalesScreen
      {...useSellerSales(LINK_FILTERS, words.file, PAYMENT_LINK)}
      name="link-sales"
      title={words.title}
      hint={words.hint}
      listPath="/links-de-pagamento/vendas"
      columns={linkSaleColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      card={saleCard}
    />
  );
}
