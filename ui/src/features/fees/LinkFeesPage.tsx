// The fees of sales with payment links.

import { PAYMENT_LINK } from "../../format/solutions";
import { FeesScreen } from "./FeesScreen";

export default function LinkFeesPage() {
  return <FeesScreen route="/links-de-pagamento/taxas" solution={PAYMENT_LINK} boleto />;
}
