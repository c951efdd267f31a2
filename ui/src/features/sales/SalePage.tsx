// One sale of the seller's company. Three lists lead here: of all sales, of sales by card machine, and of sales by
// payment link. The address tells which one.
import { Button } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { lazy } from "react";
import { useLocation, useParams } from "react-router";
import { useApi } from "../../api/hooks";
import type { SellerBusiness } from "../../api/models";
import { useBusiness, useSession } from "../../api/session";
import { salesStrings } from "../../strings/pt-BR.sales";
import type { SalesListPath } from "./columns";
import { SaleProof } from "./SaleProof";
import { SaleScreen } from "./SaleScreen";

const SaleBuyer = lazy(() => import("../buyers/SaleBuyer"));

/** The most other companies of the user in which a missing sale is looked up. Each costs one read. */
const OTHER_COMPANIES_MAX = 10;

export default function SalePage() {
  const { pathname } = useLocation();
  const { id = "" } = useParams();
  const business = useBusiness();
  const { businesses } = useSession();
  const query = { business_id: business.id, receivables: 1 };
  // Amounts of another sale must not appear at this address.
  const sale = useApi("/transactions/{id}", { path: { id }, query }, { keepPrevious: false });
  const others = businesses.filter((each) => each.id !== business.id).slice(0, OTHER_COMPANIES_MAX);
  return (
    <SaleScreen
      id={id}
      listPath={listPathOf(pathname)}
      read={sale}
      sellerOf={() => business}
      proof={<SaleProof saleId={id} />}
      buyer={<SaleBuyer saleId={id} businessId={business.id} />}
      missingAction={
        others.length > 0 && others.map((other) => <SwitchCompany key={other.id} sale={id} to={other} />)
      }
    />
  );
}

const LIST_PATHS = ["/maquininha/vendas", "/links-de-pagamento/vendas"] as const satisfies SalesListPath[];

/** The list of sales under whose address the page is. The back link leads to it. */
const listPathOf = (pathname: string): SalesListPath =>
  LIST_PATHS.find((listPath) => pathname.startsWith(`${listPath}/`)) ?? "/vendas";

/** Offers to switch to the company `to` if the sale is of that company. */
function SwitchCompany({ sale, to }: { sale: string; to: SellerBusiness }) {
  const { chooseBusiness } = useSession();
  const params = { path: { id: sale }, query: { business_id: to.id } };
  const found = useApi("/transactions/{id}", params, { keepPrevious: false, mayNotExist: true });
  if (!found.data) return null;
  return (
    <Button leftSection={<IconBuildingStore size={17} aria-hidden />} onClick={() => chooseBusiness(to.id)}>
      {salesStrings.sale.ofOther(to.name)}
    </Button>
  );
}
