// A seller's withdrawals and what else moved their balance by hand.
import { useApi, useDownload } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import type { SellerListProps } from "./FinancePage";
import { Transfers } from "./Transfers";
import { TRANSFERS_ORDER } from "./transferColumns";

export default function SellerTransfers({ businessId, filters }: SellerListProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.query, order };
  const transfers = useApi("/balance/transfers", { query: { ...query, page, perPage } });
  const download = useDownload("/balance/transfers", { query }, strings.transfers.file, useBusiness().name);
  return (
    <Transfers
      name="transfers"
      transfers={transfers}
      list={list}
      filters={filters}
      download={download}
      orderColumn={TRANSFERS_ORDER}
    />
  );
}
