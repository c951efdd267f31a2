// The calculator of sales with payment links, which are paid by card, PIX or boleto.
import { CalculatorScreen } from "./CalculatorScreen";
import { PAYMENT_LINK } from "./solutions";

export default function LinkCalculatorPage() {
  return (
    <CalculatorScreen
      route="/links-de-pagamento/calculadora"
      solution={PAYMENT_LINK}
      types={["debit", "credit", "pix", "boleto"]}
    />
  );
}
