// The chart that suits the rows of a report: stacked bars over time, ranked bars, or shares. A switch shows its data as
// a table.
import { ActionIcon, Skeleton, Table } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { ChartOrTable } from "../../components/ChartOrTable";
import { ScrollRegion } from "../../components/ScrollRegion";
import { ServerMessage } from "../../components/ServerMessage";
import { money, percent } from "../../format/money";
import { partName, spanName } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import {
  barsOf,
  hasMoreBars,
  reportTotal,
  type Series,
  seriesOf,
  stackedBarsOf,
  summaryOf,
} from "./chartData";
import type { ReportDefinition } from "./definitions";
import styles from "./Reports.module.css";
import { isPaged, type ReportBody, type ReportRow, type RowKind } from "./rows";

const StackedChart = lazy(() => import("../../components/charts/StackedChart"));
const RankedChart = lazy(() => import("../../components/charts/RankedChart"));
const ShareChart = lazy(() => import("../../components/charts/ShareChart"));

const words = reportStrings.chart;
/** The most bars of a ranked chart. */
const RANKED_MAX = 10;
/** The most rows with their own slice. One more slice has the sum of the rest. */
const SHARES_MAX = 5;

interface ReportChartProps {
  definition: ReportDefinition;
  title: string;
  kind: RowKind;
  body: ReportBody | undefined;
  rows: readonly ReportRow[] | undefined;
  /** The name of the saved image. */
  file: string;
}

interface Drawing {
  hint: string;
  chart: ReactNode;
  table: ReactNode;
}

export function ReportChart(props: ReportChartProps) {
  const { body, rows, file } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const waiting = <Skeleton height={260} />;
  const drawing = body && rows ? drawingOf(props, body, rows) : undefined;
  const title = titleOf(props);
  const save = async () => {
    setFailed(false);
    try {
      const { saveChart } = await import("../../components/charts/saveChart");
      const period = body ? ` · ${spanName(body)}` : "";
      if (ref.current) await saveChart(ref.current, `${title}${period}`, file);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className={styles.chart} ref={ref}>
      <ServerMessage message={failed ? words.failed : undefined} onClose={() => setFailed(false)} />
      <ChartOrTable
        title={title}
        hint={drawing?.hint ?? words.hint}
        tool={
          <ActionIcon
            variant="default"
            size={30}
            aria-label={reportStrings.tools.image}
            title={reportStrings.tools.image}
            onClick={() => void save()}
          >
            <IconPhoto size={16} aria-hidden />
          </ActionIcon>
        }
        chart={drawing ? <Suspense fallback={waiting}>{drawing.chart}</Suspense> : waiting}
        table={drawing?.table ?? waiting}
      />
    </div>
  );
}

function titleOf({ definition, kind, title }: ReportChartProps): string {
  if (kind === "period") return words.overTime(title);
  return words.byRow(reportStrings.figures[definition.ranked], reportStrings.rows.kinds[kind]);
}

function drawingOf(props: ReportChartProps, body: ReportBody, rows: readonly ReportRow[]): Drawing {
  return props.kind === "period" ? overTime(props, body) : byRow(props, body, rows);
}

function overTime(props: ReportChartProps, body: ReportBody): Drawing {
  const { definition } = props;
  const series = seriesOf(definition.stacked);
  const bars = stackedBarsOf(body, definition.stacked);
  const title = titleOf(props);
  const sums = bars.map(({ name, values }) => ({
    name,
    value: values.reduce((sum, each) => sum + each, 0),
  }));
  const total = sums.reduce((sum, { value }) => sum + value, 0);
  return {
    hint: words.hint,
    chart: <StackedChart series={series} points={bars} summary={summaryOf(title, sums, total)} />,
    table: (
      <ChartTable
        label={title}
        first={reportStrings.rows.kinds.period}
        series={series}
        lines={body.periods.map((part, index) => ({
          name: partName(body.group, part),
          values: (bars[index]?.values ?? []).map(money),
        }))}
      />
    ),
  };
}

function byRow(props: ReportChartProps, body: ReportBody, rows: readonly ReportRow[]): Drawing {
  const { definition, kind } = props;
  const name = reportStrings.figures[definition.ranked];
  const kindName = reportStrings.rows.kinds[kind];
  const title = titleOf(props);
  const ranked = isPaged(kind);
  const total = reportTotal(body, definition.ranked);
  const max = ranked ? RANKED_MAX : SHARES_MAX;
  const bars = barsOf(rows, definition.ranked, { max, total, others: !ranked });
  const summary = summaryOf(title, bars, total);
  return {
    hint: ranked && hasMoreBars(rows, definition.ranked, RANKED_MAX) ? words.topHint(RANKED_MAX) : words.hint,
    chart: ranked ? (
      <RankedChart bars={bars} figure={name} summary={summary} />
    ) : (
      <ShareChart parts={bars} figure={name} summary={summary} />
    ),
    table: (
      <ChartTable
        label={title}
        first={kindName}
        series={[
          { key: "value", name },
          { key: "share", name: words.share },
        ]}
        lines={bars.map(({ name: row, value, share }) => ({
          name: row,
          values: [money(value), percent(share)],
        }))}
      />
    ),
  };
}

interface ChartTableProps {
  label: string;
  first: string;
  series: readonly Series[];
  lines: readonly { name: string; values: readonly string[] }[];
}

function ChartTable({ label, first, series, lines }: ChartTableProps) {
  return (
    <ScrollRegion className={styles.chartTable} label={label}>
      <Table stickyHeader aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{first}</Table.Th>
            {series.map(({ key, name }) => (
              <Table.Th key={key} scope="col" data-align="end">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(({ name, values }, line) => (
            // Not keyed by name, because two companies or machines can have the same one.
            <Table.Tr key={line}>
              <Table.Td>{name}</Table.Td>
              {values.map((value, index) => (
                <Table.Td key={series[index]?.key} data-align="end">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
