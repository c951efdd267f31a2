// The calculator of sales with payment links, which are paid by card, PIX or boleto.

import { PAYMENT_LINK } from "../../format/solutions";
import { CalculatorScreen } from "./CalculatorScreen";

export default function LinkCalculatorPage() {
  return (
    <CalculatorScreen
      route="/links-de-pagamento/calculadora"
      solution={PAYMENT_LINK}
      types={["debit", "credit", "pix", "boleto"]}
    />
  );
}
