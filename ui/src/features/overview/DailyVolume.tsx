// Thirty days of sales as a chart or as a table.
import { Skeleton, Table } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Overview } from "../../api/models";
import { ChartOrTable } from "../../components/ChartOrTable";
import { ScrollRegion } from "../../components/ScrollRegion";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { overviewStrings } from "../../strings/pt-BR.overview";
import styles from "./OverviewPage.module.css";

const VolumeChart = lazy(() => import("../../components/charts/VolumeChart"));

type Day = Overview["daily"][number];

const words = overviewStrings.overview;
const HEIGHT = 260;

function summary(days: readonly Day[]): string {
  const total = days.reduce((sum, day) => sum + day.gross, 0);
  const best = days.reduce((top, day) => (day.gross > top.gross ? day : top));
  return words.chartSummary(money(total), money(best.gross), businessDate(best.date));
}

export function DailyVolume({ days }: { days: Day[] | undefined }) {
  const waiting = <Skeleton height={HEIGHT} />;
  return (
    <ChartOrTable
      title={words.daily}
      hint={words.dailyHint}
      chart={
        days?.length ? (
          <Suspense fallback={waiting}>
            <VolumeChart days={days} summary={summary(days)} />
          </Suspense>
        ) : (
          waiting
        )
      }
      table={days?.length ? <DailyTable days={days} /> : waiting}
    />
  );
}

function DailyTable({ days }: { days: readonly Day[] }) {
  return (
    <ScrollRegion className={styles.dailyTable} label={words.daily}>
      <Table stickyHeader aria-label={words.daily}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.day}</Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.count}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.gross}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {words.net}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Td>{businessDate(day.date)}</Table.Td>
              <Table.Td data-align="end">{wholeNumber(day.count)}</Table.Td>
              <Table.Td data-align="end">{money(day.gross)}</Table.Td>
              <Table.Td data-align="end">{money(day.net)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
