// The fees of sales with payment links.
import { FeesScreen } from "./FeesScreen";
import { PAYMENT_LINK } from "./solutions";

export default function LinkFeesPage() {
  return <FeesScreen route="/links-de-pagamento/taxas" solution={PAYMENT_LINK} boleto />;
}
