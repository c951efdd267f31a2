// The calculator of sales with card machines.

import { CARD_MACHINE } from "../../format/solutions";
import { CalculatorScreen } from "./CalculatorScreen";

export default function CardMachineCalculatorPage() {
  return (
    <CalculatorScreen route="/maquininha/calculadora" solution={CARD_MACHINE} types={["debit", "credit"]} />
  );
}
