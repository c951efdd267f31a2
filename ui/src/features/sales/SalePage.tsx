// One sale of the seller's business.
import { useParams } from "react-router";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { SaleScreen } from "./SaleScreen";

export default function SalePage() {
  const { id = "" } = useParams();
  const business = useBusiness();
  const sale = useApi("/transactions/{id}", {
    path: { id },
    query: { business_id: business.id, receivables: 1 },
  });
  return <SaleScreen id={id} read={sale} />;
}
