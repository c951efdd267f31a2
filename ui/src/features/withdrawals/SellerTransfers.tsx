// The withdrawals, rentals and adjustments of the seller's company.
import { useBusiness } from "../../api/session";
import { useList, useListState } from "../../components/table/listState";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import type { TransferFilters } from "./filters";
import { Transfers } from "./Transfers";
import { TRANSFERS_ORDER } from "./transferColumns";

interface SellerTransfersProps {
  businessId: string;
  filters: TransferFilters;
}

export default function SellerTransfers({ businessId, filters }: SellerTransfersProps) {
  const list = useListState();
  const query = { business_id: businessId, ...filters.query, order: list.order };
  return (
    <Transfers
      name="transfers"
      {...useList(
        "/balance/transfers",
        { query },
        list,
        withdrawalsStrings.transfers.file,
        useBusiness().name,
      )}
      list={list}
      filters={filters}
      orderColumn={TRANSFERS_ORDER}
    />
  );
}
