// The fees of sales with card machines.
import { FeesScreen } from "./FeesScreen";
import { CARD_MACHINE } from "./solutions";

export default function CardMachineFeesPage() {
  return <FeesScreen route="/maquininha/taxas" solution={CARD_MACHINE} boleto={false} />;
}
