// Where the amount of a withdrawal came from: days, and within a day its sales with their installments.
import { Skeleton, Table } from "@mantine/core";
import { useDownload } from "../../../api/download";
import { useApi } from "../../../api/hooks";
import type { Transfer, TransferDay } from "../../../api/models";
import { type PanelName, panel } from "../../../api/panel";
import { useIsNarrow } from "../../../components/breakpoints";
import { FailureNotice } from "../../../components/Notice";
import { Panel } from "../../../components/Panel";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { ExportButton, ExportFailure } from "../../../components/table/ExportButton";
import { money, wholeNumber } from "../../../format/money";
import { strings } from "../../../strings/pt-BR";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { DayCard } from "./DayCard";
import { paramsOf } from "./DayCredits";
import { DayRows, deducted } from "./DayRows";
import { sumOf } from "./days";
import styles from "./WithdrawalPage.module.css";

const DAYS = {
  seller: "/balance/transfers/{transfer_id}/composition/days",
  admin: "/admin/balance/transfers/{transfer_id}/composition/days",
} as const satisfies Record<PanelName, unknown>;
const CREDITS = {
  seller: "/balance/transfers/{transfer_id}/composition",
  admin: "/admin/balance/transfers/{transfer_id}/composition",
} as const satisfies Record<PanelName, unknown>;

const words = withdrawalsStrings.composition;

export function Composition({ transfer }: { transfer: Transfer }) {
  const { business, status } = transfer;
  const params = paramsOf(transfer);
  const read = useApi(DAYS[panel], params, { keepPrevious: false });
  const xlsx = useDownload(CREDITS[panel], params, words.file, business.name);
  const csv = useDownload(CREDITS[panel], params, words.file, business.name, "csv");
  const days = read.data?.data;
  return (
    <Panel
      // A refused or failed withdrawal has another composition, so opened days close.
      key={status}
      title={words.open}
      hint={words.hint}
      flush
      action={
        days &&
        days.length > 0 && (
          <div className={styles.files}>
            <ExportButton download={xlsx} />
            <ExportButton download={csv} label={strings.list.exportCsv} />
          </div>
        )
      }
    >
      <ExportFailure download={xlsx} />
      <ExportFailure download={csv} />
      {days ? (
        <Days transfer={transfer} days={days} />
      ) : (
        <div className={styles.inner}>
          {read.error ? (
            <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
          ) : (
            <Skeleton height={180} />
          )}
        </div>
      )}
    </Panel>
  );
}

interface DaysProps {
  transfer: Transfer;
  days: readonly TransferDay[];
}

function Days({ transfer, days }: DaysProps) {
  const narrow = useIsNarrow();
  if (days.length === 0) return <p className={styles.inner}>{words.empty}</p>;
  const total = sumOf(days);
  const sales = days.reduce((sum, day) => sum + day.sales, 0);
  const withheld = total.withheld !== 0;
  if (narrow) {
    return (
      <ul className={styles.dayCards} aria-label={words.table}>
        {days.map((day) => (
          <DayCard key={day.day ?? ""} transfer={transfer} day={day} />
        ))}
        <li className={styles.totalCard}>
          <strong>{words.total}</strong>
          <strong>{money(total.used)}</strong>
        </li>
      </ul>
    );
  }
  return (
    <ScrollRegion className={styles.scroll} label={words.table}>
      <Table className={styles.days} aria-label={words.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.columns.day}</Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.columns.sales}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.columns.gross}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.columns.fees}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.columns.refunded}
            </Table.Th>
            {withheld && (
              <Table.Th scope="col" data-align="end">
                {words.columns.withheld}
              </Table.Th>
            )}
            <Table.Th scope="col" data-align="end">
              {words.columns.net}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.columns.used}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {days.map((day) => (
          <DayRows key={day.day ?? ""} transfer={transfer} day={day} withheld={withheld} />
        ))}
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{words.total}</Table.Th>
            <Table.Td data-align="end">{wholeNumber(sales)}</Table.Td>
            <Table.Td data-align="end">{money(total.gross)}</Table.Td>
            <Table.Td data-align="end">{deducted(total.fees)}</Table.Td>
            <Table.Td data-align="end">{deducted(total.refunded)}</Table.Td>
            {withheld && <Table.Td data-align="end">{deducted(total.withheld)}</Table.Td>}
            <Table.Td data-align="end">{money(total.net)}</Table.Td>
            <Table.Td data-align="end">{money(total.used)}</Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollRegion>
  );
}
