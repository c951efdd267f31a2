// An amount by day as a bar: nothing lies between the sums of two days. A lazy chunk, because it carries the charting
// library. The table next to it has the same figures for screen readers.
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { money, wholeNumber } from "../../format/money";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { DATE_AXIS, GRID, MARGIN, moneyAxis } from "./axes";
import { DayTooltip } from "./DayTooltip";
import styles from "./VolumeChart.module.css";

interface DayVolume {
  date: string;
  count: number;
  gross: number;
}

interface VolumeChartProps {
  days: DayVolume[];
  /** A sentence that describes the chart. */
  summary: string;
}

const HEIGHT = 260;

export default function VolumeChart({ days, summary }: VolumeChartProps) {
  return (
    <div role="img" aria-label={summary} className={styles.chart}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={days} margin={MARGIN} accessibilityLayer={false}>
          <CartesianGrid {...GRID} />
          <XAxis {...DATE_AXIS} />
          <YAxis {...moneyAxis(days.map(({ gross }) => gross))} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--quiet-background)" }}
            content={({ active, payload }) => {
              const day = payload?.[0]?.payload as DayVolume | undefined;
              return active && day ? <Volume day={day} /> : null;
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

function Volume({ day }: { day: DayVolume }) {
  return (
    <DayTooltip date={day.date}>
      <strong>{money(day.gross)}</strong>
      <div className={styles.count}>
        {overviewStrings.overview.salesCount(day.count, wholeNumber(day.count))}
      </div>
    </DayTooltip>
  );
}
