// A company's current transfers, as staff see them. A rental can be canceled here.
import { IconX } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../api/models";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { money } from "../../format/money";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import type { TransferFilters } from "./filters";
import { cancelDisabledReason, isRental } from "./rental";
import { Transfers } from "./Transfers";
import { staffOrder } from "./transferColumns";
import styles from "./Withdrawals.module.css";

const RentalCancelModal = lazy(() => import("./RentalCancelModal"));

interface BusinessTransfersProps {
  businessId: string;
  /** Undefined until it is read. */
  businessName: string | undefined;
  filters: TransferFilters;
  /** Whether the page shows a past balance. A note then says that the transfers are current. */
  isPast: boolean;
  /** Why the actions are disabled; undefined if they are not. */
  disabledReason: string | undefined;
  onDone: (message: string) => void;
}

export default function BusinessTransfers({
  businessId,
  businessName,
  filters,
  isPast,
  disabledReason,
  onDone,
}: BusinessTransfersProps) {
  const list = useListState();
  const orderColumn = staffOrder(filters.status);
  const query = { business_id: businessId, ...filters.query, ...(orderColumn && { order: list.order }) };
  const { read, download } = useList(
    "/admin/balance/transfers",
    { query },
    list,
    withdrawalsStrings.transfers.file,
    businessName,
  );
  const [canceling, setCanceling] = useState<Transfer>();
  return (
    <>
      {isPast && <p className={styles.aside}>{ledgerStrings.asOf.transfersAreNow}</p>}
      {!orderColumn && <p className={styles.aside}>{withdrawalsStrings.queue.hint}</p>}
      <Transfers
        name="business-transfers"
        read={read}
        list={list}
        filters={filters}
        download={download}
        orderColumn={orderColumn}
        rowActions={(transfer) =>
          isRental(transfer) && (
            <RowActions
              row={ledgerStrings.rentalCancel.row(money(transfer.amount))}
              actions={[
                {
                  label: ledgerStrings.rentalCancel.open,
                  icon: IconX,
                  disabledReason: disabledReason ?? cancelDisabledReason(transfer),
                  run: () => setCanceling(transfer),
                },
              ]}
            />
          )
        }
      />
      <Suspense>
        {canceling && (
          <RentalCancelModal
            rental={canceling}
            onClose={() => setCanceling(undefined)}
            onDone={(message) => {
              setCanceling(undefined);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
