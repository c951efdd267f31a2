// The sales of the seller's card machines, of all or of the one that the user chooses.
import { CARD_MACHINE } from "../../format/solutions";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { machineSaleColumns, saleCard } from "./columns";
import { MACHINE_FILTERS } from "./filters";
import { SalesScreen } from "./SalesScreen";
import { useSellerSales } from "./useSellerSales";

const words = terminalStrings.machineSales;
/** The solution is hidden because all sales here have the same one. */
const HIDDEN_AT_FIRST = ["solution", "capturedAt"] as const;

export default function MachineSalesPage() {
  return (
    <SalesScreen
      {...useSellerSales(MACHINE_FILTERS, words.file, CARD_MACHINE)}
      name="machine-sales"
      title={words.title}
      hint={words.hint}
      listPath="/maquininha/vendas"
      columns={machineSaleColumns}
      hiddenAtFirst={HIDDEN_AT_FIRST}
      card={saleCard}
    />
  );
}
