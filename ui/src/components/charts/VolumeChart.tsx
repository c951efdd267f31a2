// An amount by day as an area. Loaded only where it is shown: it carries the charting library. Whoever
// cannot see it has the same figures in the table beside it.
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { businessDate, businessDateInWords } from "../../format/dates";
import { money, moneyOnAxis, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
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
  return (
    <div role="img" aria-label={summary} className={styles.chart}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <AreaChart data={days} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <defs>
            <linearGradient id="volume-fill" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0%" stopColor="var(--chart-fill)" stopOpacity={0.28} />
              <stop offset="100%" stopColor="var(--chart-fill)" stopOpacity={0.02} />
            </linearGradient>
          </defs>
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
            tickCount={5}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-dim)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => {
              const day = payload?.[0]?.payload as DayVolume | undefined;
              return active && day ? <DayTooltip day={day} /> : null;
            }}
          />
          <Area
            dataKey="gross"
            type="monotone"
            stroke="var(--chart-line)"
            strokeWidth={2}
            fill="url(#volume-fill)"
            activeDot={{ r: 4, fill: "var(--chart-line)", stroke: "var(--surface)", strokeWidth: 2 }}
            isAnimationActive={false}
          />
        </AreaChart>
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
