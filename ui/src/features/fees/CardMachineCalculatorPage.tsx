// The calculator of sales with card machines.
import { CalculatorScreen } from "./CalculatorScreen";
import { CARD_MACHINE } from "./solutions";

export default function CardMachineCalculatorPage() {
  return (
    <CalculatorScreen route="/maquininha/calculadora" solution={CARD_MACHINE} types={["debit", "credit"]} />
  );
}
