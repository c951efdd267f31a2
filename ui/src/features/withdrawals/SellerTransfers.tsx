// The withdrawals, rentals and adjustments of the seller's company. A withdrawal opens its own page.
import { useBusiness, useTimeZone } from "../../api/session";
import { useList } from "../../components/table/useList";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { FILTERS, nameQuery, statusQuery, zonedQuery } from "./filters";
import { Transfers } from "./Transfers";
import { TRANSFERS_ORDER } from "./transferColumns";

export default function SellerTransfers() {
  const business = useBusiness();
  const zone = useTimeZone();
  const list = useList("/balance/transfers", {
    filters: FILTERS,
    query: ({ status, period, name }, order) => ({
      business_id: business.id,
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      ...nameQuery(name),
      order,
    }),
    file: withdrawalsStrings.transfers.file,
    company: business.name,
  });
  return <Transfers name="transfers" list={list} orderColumn={TRANSFERS_ORDER} />;
}
