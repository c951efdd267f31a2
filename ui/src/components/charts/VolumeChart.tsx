// Sales amounts over time, a bar for each hour, day, week or month. A lazy chunk, because it carries the charting
// library.
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { money, wholeNumber } from "../../format/money";
import { type Group, partName, type Span, shortPartName } from "../../format/parts";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { DATE_AXIS, GRID, MARGIN, moneyAxis } from "./axes";
import { ChartTooltip } from "./ChartTooltip";
import styles from "./KeyboardChart.module.css";

interface Volume extends Span {
  count: number;
  gross: number;
}

interface VolumeChartProps {
  parts: Volume[];
  group: Group;
  /** A sentence that describes the chart. */
  summary: string;
  height: number;
}

export default function VolumeChart({ parts, group, summary, height }: VolumeChartProps) {
  const bars = parts.map((part) => ({ ...part, date: shortPartName(group, part) }));
  return (
    <figure className={styles.chart} aria-label={summary}>
      <ResponsiveContainer width="100%" height={height}>
        <BarChart data={bars} margin={MARGIN} accessibilityLayer desc={summary}>
          <CartesianGrid {...GRID} />
          <XAxis {...DATE_AXIS} tickFormatter={String} />
          <YAxis {...moneyAxis(parts.map(({ gross }) => gross))} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--quiet-background)" }}
            content={({ active, payload }) => {
              const part = payload?.[0]?.payload as Volume | undefined;
              return active && part ? <VolumeTooltip group={group} part={part} /> : null;
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
    </figure>
  );
}

function VolumeTooltip({ group, part }: { group: Group; part: Volume }) {
  const { overview: words } = overviewStrings;
  return (
    <ChartTooltip
      title={partName(group, part)}
      lines={[
        [words.gross, money(part.gross)],
        [words.count, wholeNumber(part.count)],
      ]}
    />
  );
}
