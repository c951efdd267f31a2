// A company's current transfers, as staff see them. A rental can be canceled here.
import { IconX } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../api/models";
import { useTimeZone } from "../../api/session";
import shared from "../../components/Shared.module.css";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { FILTERS, nameQuery, statusQuery, zonedQuery } from "./filters";
import { Transfers } from "./Transfers";
import { APPROVED, TERMINAL_RENTAL } from "./transferCodes";
import { staffOrder } from "./transferColumns";

const RentalCancelModal = lazy(() => import("./RentalCancelModal"));

const isRental = ({ kind }: Transfer) => kind === TERMINAL_RENTAL;

/** Why a rental cannot be canceled; undefined if it can. The gateway checks again. */
const cancelDisabledReason = ({ status }: Transfer) =>
  status === APPROVED ? undefined : ledgerStrings.rentalCancel.disabledReasons.status;

interface BusinessTransfersProps {
  businessId: string;
  /** Undefined until it is read. */
  businessName: string | undefined;
  /** Whether the page shows a past balance. A note then says that the transfers are current. */
  isPast: boolean;
  /** Why the actions are disabled; undefined if they are not. */
  disabledReason: string | undefined;
  onDone: (message: string) => void;
}

export default function BusinessTransfers({
  businessId,
  businessName,
  isPast,
  disabledReason,
  onDone,
}: BusinessTransfersProps) {
  const zone = useTimeZone();
  const list = useList("/admin/balance/transfers", {
    filters: FILTERS,
    query: ({ status, period, name }, order) => ({
      business_id: businessId,
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      ...nameQuery(name),
      ...(staffOrder(status) && { order }),
    }),
    file: withdrawalsStrings.transfers.file,
    company: businessName,
  });
  const orderColumn = staffOrder(list.chosen.status);
  const [canceling, setCanceling] = useState<Transfer>();
  return (
    <>
      {isPast && <p className={shared.aside}>{ledgerStrings.asOf.transfersAreNow}</p>}
      {!orderColumn && <p className={shared.aside}>{withdrawalsStrings.queue.hint}</p>}
      <Transfers
        name="business-transfers"
        list={list}
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
