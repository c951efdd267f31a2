// The sales of the seller's payment links, of all or of the one whose code the user types.
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { BackLink } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { useList, useListState } from "../../components/table/listState";
import { linksStrings } from "../../strings/pt-BR.links";
import { linkSaleColumns, saleCard } from "./columns";
import { useSaleFilters } from "./filters";
import { SalesScreen } from "./SalesScreen";

const words = linksStrings.sales;
/** All sales here have the same solution. */
const HIDDEN_AT_FIRST = ["solution", "capturedAt"] as const;
const PAYMENT_LINK = 4;

export default function LinkSalesPage() {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const query = { ...filters.query, business_id: business.id, solution: PAYMENT_LINK };
  const { read, download } = useList(
    "/transactions",
    { query: { ...query, order: list.order } },
    list,
    words.file,
    business.name,
  );
  return (
    <>
      <BackLink to="/links-de-pagamento">{linksStrings.detail.back}</BackLink>
      <SalesScreen
        name="link-sales"
        title={words.title}
        hint={words.hint}
        folder="/links-de-pagamento/vendas"
        sales={read}
        totals={useApi("/transactions/totals", { query })}
        columns={linkSaleColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        card={saleCard}
        list={list}
        filters={filters}
        oneSolution
        firstFilter={
          <SearchField
            label={words.code}
            placeholder={words.codeHint}
            value={filters.link ?? ""}
            onSearch={(link) => filters.change({ link: link.toUpperCase() || null })}
          />
        }
        download={download}
      />
    </>
  );
}
