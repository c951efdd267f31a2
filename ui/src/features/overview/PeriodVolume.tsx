// The sales of the chosen period by hour or by day, as a chart or as a table. Their sum is compared with the previous
// period's.
import { Skeleton, Table } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Overview } from "../../api/models";
import { useIsPhone } from "../../components/breakpoints";
import { ChartOrTable } from "../../components/ChartOrTable";
import { Variation } from "../../components/Figure";
import { ScrollRegion } from "../../components/ScrollRegion";
import { money, variation, wholeNumber } from "../../format/money";
import { partName } from "../../format/parts";
import { overviewStrings } from "../../strings/pt-BR.overview";
import styles from "./OverviewPage.module.css";

const VolumeChart = lazy(() => import("../../components/charts/VolumeChart"));

type Period = Overview["period"];

const words = overviewStrings.overview;
/** In pixels, of the chart. */
const HEIGHT = 260;
const PHONE_HEIGHT = 88;

function summary({ parts, group, totals }: Period): string {
  const best = parts.reduce((top, part) => (part.gross > top.gross ? part : top));
  return words.chartSummary(money(totals.gross), money(best.gross), partName(group, best));
}

export function PeriodVolume({ period }: { period: Period | undefined }) {
  const height = useIsPhone() ? PHONE_HEIGHT : HEIGHT;
  const waiting = <Skeleton height={height} />;
  return (
    <ChartOrTable
      title={words.period}
      hint={words.periodHint}
      chart={
        <>
          <Totals period={period} />
          {period ? (
            <Suspense fallback={waiting}>
              <VolumeChart
                parts={period.parts}
                group={period.group}
                summary={summary(period)}
                height={height}
              />
            </Suspense>
          ) : (
            waiting
          )}
        </>
      }
      table={period ? <PartsTable period={period} /> : waiting}
    />
  );
}

function Totals({ period }: { period: Period | undefined }) {
  if (!period) return <Skeleton height={24} width="60%" mb={8} />;
  const { totals, previous } = period;
  return (
    <p className={styles.totals}>
      <strong>{money(totals.gross)}</strong>{" "}
      <span>
        {words.salesCount(totals.count, wholeNumber(totals.count))} ·{" "}
        <Variation ratio={variation(totals.gross, previous.gross)} against={words.versusPrevious} />
      </span>
    </p>
  );
}

function PartsTable({ period: { group, parts } }: { period: Period }) {
  return (
    <ScrollRegion className={styles.periodTable} label={words.period}>
      <Table stickyHeader aria-label={words.period}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.part[group]}</Table.Th>
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
          {parts.toReversed().map((part) => (
            <Table.Tr key={part.start}>
              <Table.Td>{partName(group, part)}</Table.Td>
              <Table.Td data-align="end">{wholeNumber(part.count)}</Table.Td>
              <Table.Td data-align="end">{money(part.gross)}</Table.Td>
              <Table.Td data-align="end">{money(part.net)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
