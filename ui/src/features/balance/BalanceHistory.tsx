// The balance of each of the last thirty business dates, as a chart or as a table.
import { Skeleton, Table } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useApi } from "../../api/hooks";
import type { BalanceDay } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { ChartOrTable } from "../../components/ChartOrTable";
import { FailureNotice } from "../../components/Notice";
import { ScrollRegion } from "../../components/ScrollRegion";
import { businessDate, businessToday } from "../../format/dates";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import styles from "./Balance.module.css";

const BalanceChart = lazy(() => import("../../components/charts/BalanceChart"));

const words = balanceStrings.balance;
/** In pixels, of the chart. The table has the same height (`.days`), so that the panel keeps its size. */
const HEIGHT = 268;
const DAYS = 30;

function summary(days: readonly [BalanceDay, ...BalanceDay[]]): string {
  const lowest = days.reduce((low, day) => Math.min(low, day.available), days[0].available);
  const last = days.at(-1) ?? days[0];
  return words.historySummary(money(days[0].available), money(last.available), money(lowest));
}

const hasDays = (days: readonly BalanceDay[] | undefined): days is [BalanceDay, ...BalanceDay[]] =>
  days !== undefined && days.length > 0;

export function BalanceHistory({ businessId }: { businessId: string }) {
  const now = businessNow();
  const query = { business_id: businessId, start: businessToday(now, 1 - DAYS), end: businessToday(now) };
  const { data, error, mutate } = useApi("/balance/daily", { query });
  const days = data?.data;
  const placeholder = error ? (
    <FailureNotice failure={error} onRetry={() => void mutate()} />
  ) : (
    <Skeleton height={HEIGHT} />
  );
  return (
    <ChartOrTable
      title={words.history}
      hint={words.historyHint}
      chart={
        hasDays(days) ? (
          <Suspense fallback={<Skeleton height={HEIGHT} />}>
            <BalanceChart days={days} summary={summary(days)} />
          </Suspense>
        ) : (
          placeholder
        )
      }
      table={hasDays(days) ? <DaysTable days={days} /> : placeholder}
    />
  );
}

function DaysTable({ days }: { days: readonly BalanceDay[] }) {
  const columns = [
    [words.available, "available"],
    [words.receivable, "receivable"],
    [words.inTransfer, "in_transfer"],
    [words.blocked, "blocked"],
  ] as const;
  return (
    <ScrollRegion className={styles.days} label={words.history}>
      <Table stickyHeader aria-label={words.history}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.day}</Table.Th>
            {columns.map(([label, key]) => (
              <Table.Th key={key} scope="col" data-align="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{businessDate(day.date)}</Table.Td>
              {columns.map(([, key]) => (
                <Table.Td key={key} data-align="end">
                  {money(day[key])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
