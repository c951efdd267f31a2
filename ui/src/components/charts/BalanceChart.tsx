// The available and the receivable balance at the end of each day, in steps: a balance stays until it changes. A lazy
// chunk, because it carries the charting library.
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { BalanceDay } from "../../api/models";
import { businessDateInWords } from "../../format/dates";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { DATE_AXIS, GRID, MARGIN, moneyAxis } from "./axes";
import styles from "./BalanceChart.module.css";
import { ChartTooltip } from "./ChartTooltip";

interface BalanceChartProps {
  days: BalanceDay[];
  /** A sentence that describes the chart. */
  summary: string;
}

const words = balanceStrings.balance;
const HEIGHT = 240;

export default function BalanceChart({ days, summary }: BalanceChartProps) {
  const amounts = days.flatMap(({ available, receivable }) => [available, receivable]);
  return (
    <div role="img" aria-label={summary} className={styles.chart}>
      <div className={styles.legend} aria-hidden>
        <span className={styles.key}>{words.available}</span>
        <span className={styles.key} data-series="receivable">
          {words.receivable}
        </span>
      </div>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <ComposedChart data={days} margin={MARGIN} accessibilityLayer={false}>
          <defs>
            <linearGradient id="balance-fill" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0%" stopColor="var(--chart-fill)" stopOpacity={0.28} />
              <stop offset="100%" stopColor="var(--chart-fill)" stopOpacity={0.02} />
            </linearGradient>
          </defs>
          <CartesianGrid {...GRID} />
          <XAxis {...DATE_AXIS} />
          <YAxis {...moneyAxis(amounts)} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--text-dim)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => {
              const day = payload?.[0]?.payload as BalanceDay | undefined;
              return active && day ? <Balances day={day} /> : null;
            }}
          />
          <Area
            dataKey="available"
            type="step"
            stroke="var(--chart-line)"
            strokeWidth={2}
            fill="url(#balance-fill)"
            isAnimationActive={false}
          />
          <Line
            dataKey="receivable"
            type="step"
            stroke="var(--chart-2)"
            strokeWidth={2}
            strokeDasharray="5 4"
            dot={false}
            isAnimationActive={false}
          />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

function Balances({ day }: { day: BalanceDay }) {
  const lines: [string, number][] = [
    [words.available, day.available],
    [words.receivable, day.receivable],
    [words.inTransfer, day.in_transfer],
    [words.blocked, day.blocked],
  ];
  return (
    <ChartTooltip
      title={businessDateInWords(day.date)}
      lines={lines.map(([label, amount]) => [label, money(amount)])}
    />
  );
}
