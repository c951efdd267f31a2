// A company's statement and its transfers as staff read them. The statement stops at the instant that is looked at;
// transfers are always those of now.
import { IconX } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useApi, useDownload } from "../../api/hooks";
import type { Transfer } from "../../api/models";
import { useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import styles from "./AsOf.module.css";
import type { AsOf } from "./asOf";
import type { BalanceFilters } from "./filters";
import { Statement, Transfers } from "./Lists";
import { linesOf } from "./movementsRead";
import { cannotCancel, isRental } from "./rental";
import { eventOfLine, staffStatementColumns } from "./statementColumns";

const RentalCancelModal = lazy(() => import("./RentalCancelModal"));

export interface StaffListProps {
  businessId: string;
  filters: BalanceFilters;
  asOf: AsOf;
}

export function StaffStatement({ businessId, filters, asOf }: StaffListProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.period, ...asOf.query, order };
  const read = useApi("/admin/balance/history", { query: { ...query, page, perPage } });
  const download = useDownload("/admin/balance/history", { query }, strings.statement.file);
  return (
    <Statement
      name="business-statement"
      lines={{ ...read, data: linesOf(read.data) }}
      columns={staffStatementColumns}
      lineTarget={eventOfLine}
      list={list}
      filters={filters}
      download={download}
    />
  );
}

interface BusinessTransfersProps extends StaffListProps {
  /** Why nothing can be done now; absent where it can. */
  why: string | undefined;
  onDone: (message: string) => void;
}

export function BusinessTransfers({ businessId, filters, asOf, why, onDone }: BusinessTransfersProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.query, order };
  const transfers = useApi("/admin/balance/transfers", { query: { ...query, page, perPage } });
  const download = useDownload("/admin/balance/transfers", { query }, strings.transfers.file);
  const [canceling, setCanceling] = useState<Transfer>();
  return (
    <>
      {asOf.at && <p className={styles.aside}>{strings.asOf.transfersAreNow}</p>}
      <Transfers
        name="business-transfers"
        transfers={transfers}
        list={list}
        filters={filters}
        download={download}
        rowActions={(transfer) =>
          isRental(transfer) && (
            <RowActions
              row={strings.rentalCancel.row(money(transfer.amount))}
              actions={[
                {
                  label: strings.rentalCancel.open,
                  icon: IconX,
                  why: why ?? cannotCancel(transfer),
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
