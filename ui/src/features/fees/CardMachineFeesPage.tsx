// The fees of sales with card machines.

import { CARD_MACHINE } from "../../format/solutions";
import { FeesScreen } from "./FeesScreen";

export default function CardMachineFeesPage() {
  return <FeesScreen route="/maquininha/taxas" solution={CARD_MACHINE} boleto={false} />;
}
