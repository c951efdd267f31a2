// What was available and what was still to come at the end of each day, in steps: a balance stays until it changes. Loaded only where it is shown: it
// carries the charting library. Whoever cannot see it has the same figures in the table beside it.
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
import { businessDate, businessDateInWords } from "../../format/dates";
import { money, moneyOnAxis } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import styles from "./BalanceChart.module.css";
import { moneyTicks } from "./ticks";

interface BalanceChartProps {
  days: BalanceDay[];
  /** What the picture says, in a sentence. */
  summary: string;
}

const words = strings.balance;
const HEIGHT = 240;
const axisText = { fill: "var(--ink-dim)", fontSize: 12 };

export default function BalanceChart({ days, summary }: BalanceChartProps) {
  const ticks = moneyTicks(days.flatMap(({ available, receivable }) => [available, receivable]));
  return (
    <div role="img" aria-label={summary} className={styles.chart}>
      <div className={styles.legend} aria-hidden>
        <span className={styles.key}>{words.available}</span>
        <span className={styles.key} data-series="receivable">
          {words.receivable}
        </span>
      </div>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <ComposedChart
          data={days}
          margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <defs>
            <linearGradient id="balance-fill" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0%" stopColor="var(--chart-fill)" stopOpacity={0.28} />
              <stop offset="100%" stopColor="var(--chart-fill)" stopOpacity={0.02} />
            </linearGradient>
          </defs>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="date"
            tickFormatter={(date: string) => businessDate(date, "DD/MM")}
            tick={axisText}
            tickLine={false}
            axisLine={false}
            minTickGap={28}
            tickMargin={8}
          />
          <YAxis
            tickFormatter={moneyOnAxis}
            tick={axisText}
            tickLine={false}
            axisLine={false}
            width={78}
            ticks={ticks}
            domain={[ticks[0] ?? 0, ticks.at(-1) ?? 0]}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-dim)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => {
              const day = payload?.[0]?.payload as BalanceDay | undefined;
              return active && day ? <DayTooltip day={day} /> : null;
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
            stroke="var(--info-ink)"
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

function DayTooltip({ day }: { day: BalanceDay }) {
  const lines: [string, number][] = [
    [words.available, day.available],
    [words.receivable, day.receivable],
    [words.inTransfer, day.in_transfer],
    [words.blocked, day.blocked],
  ];
  return (
    <div className={styles.tooltip}>
      <div className={styles.tooltipDay}>{businessDateInWords(day.date)}</div>
      {lines.map(([label, amount]) => (
        <div key={label} className={styles.tooltipLine}>
          <span>{label}</span>
          <strong>{money(amount)}</strong>
        </div>
      ))}
    </div>
  );
}
