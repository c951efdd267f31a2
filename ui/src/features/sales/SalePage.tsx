// One sale of the seller's business.
import { useParams } from "react-router";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { SaleScreen } from "./SaleScreen";

export default function SalePage() {
  const { id = "" } = useParams();
  const business = useBusiness();
  const query = { business_id: business.id, receivables: 1 };
  // Another sale's amounts must not stand at this one's address.
  const sale = useApi("/transactions/{id}", { path: { id }, query }, { keepPrevious: false });
  return <SaleScreen id={id} read={sale} />;
}
