// The withdrawals, rentals and adjustments of the seller's company. A withdrawal shows the credits that it consists of.
import { IconListDetails } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../api/models";
import { useBusiness, useTimeZone } from "../../api/session";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { FILTERS, statusQuery, zonedQuery } from "./filters";
import { Transfers } from "./Transfers";
import { WITHDRAWAL } from "./transferCodes";
import { TRANSFERS_ORDER } from "./transferColumns";

const CompositionModal = lazy(() => import("./CompositionModal"));

const words = withdrawalsStrings.composition;

export default function SellerTransfers() {
  const business = useBusiness();
  const zone = useTimeZone();
  const list = useList("/balance/transfers", {
    filters: FILTERS,
    query: ({ status, period }, order) => ({
      business_id: business.id,
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      order,
    }),
    file: withdrawalsStrings.transfers.file,
    company: business.name,
  });
  const [shown, setShown] = useState<Transfer>();
  return (
    <>
      <Transfers
        name="transfers"
        list={list}
        orderColumn={TRANSFERS_ORDER}
        rowActions={(transfer) =>
          transfer.kind === WITHDRAWAL && (
            <RowActions
              row={words.row(money(transfer.amount))}
              actions={[{ label: words.open, icon: IconListDetails, run: () => setShown(transfer) }]}
            />
          )
        }
      />
      <Suspense>
        {shown && (
          <CompositionModal transfer={shown} company={business.name} onClose={() => setShown(undefined)} />
        )}
      </Suspense>
    </>
  );
}
