// An amount by day as a bar: each is a sum of its own, with nothing between two days. Loaded only where it is shown: it carries the charting library. Whoever
// cannot see it has the same figures in the table beside it.
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { businessDate, businessDateInWords } from "../../format/dates";
import { money, moneyOnAxis, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { moneyTicks } from "./ticks";
import styles from "./VolumeChart.module.css";

export interface DayVolume {
  date: string;
  count: number;
  gross: number;
}

interface VolumeChartProps {
  days: DayVolume[];
  /** What the picture says, in a sentence. */
  summary: string;
}

const HEIGHT = 260;

export default function VolumeChart({ days, summary }: VolumeChartProps) {
  const ticks = moneyTicks(days.map(({ gross }) => gross));
  return (
    <div role="img" aria-label={summary} className={styles.chart}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={days} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="date"
            tickFormatter={(date: string) => businessDate(date, "DD/MM")}
            tick={{ fill: "var(--ink-dim)", fontSize: 12 }}
            tickLine={false}
            axisLine={false}
            minTickGap={28}
            tickMargin={8}
          />
          <YAxis
            tickFormatter={moneyOnAxis}
            tick={{ fill: "var(--ink-dim)", fontSize: 12 }}
            tickLine={false}
            axisLine={false}
            width={78}
            ticks={ticks}
            domain={[ticks[0] ?? 0, ticks.at(-1) ?? 0]}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--quiet-ground)" }}
            content={({ active, payload }) => {
              const day = payload?.[0]?.payload as DayVolume | undefined;
              return active && day ? <DayTooltip day={day} /> : null;
            }}
          />
          <Bar
            dataKey="gross"
            fill="var(--chart-line)"
            radius={[3, 3, 0, 0]}
            maxBarSize={26}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

function DayTooltip({ day }: { day: DayVolume }) {
  return (
    <div className={styles.tooltip}>
      <div className={styles.tooltipDay}>{businessDateInWords(day.date)}</div>
      <strong>{money(day.gross)}</strong>
      <div className={styles.tooltipCount}>
        {strings.overview.salesCount(day.count, wholeNumber(day.count))}
      </div>
    </div>
  );
}
