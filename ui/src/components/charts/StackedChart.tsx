// Amounts over time as stacked bars. A lazy chunk, because it carries the charting library.
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { money } from "../../format/money";
import { AXIS, GRID, MARGIN, moneyAxis } from "./axes";
import { ChartTooltip } from "./ChartTooltip";
import { seriesColor } from "./colors";
import styles from "./KeyboardChart.module.css";
import { Legend } from "./Legend";

interface Point {
  name: string;
  /** The name on the axis, which has little room. */
  short: string;
  /** In cents, in the order of the series. */
  values: number[];
}

interface StackedChartProps {
  series: readonly { key: string; name: string }[];
  points: Point[];
  /** A sentence that describes the chart. */
  summary: string;
}

const HEIGHT = 260;

/** The top and the bottom of a stacked bar: the sums of its parts above and below zero. */
const ends = ({ values }: Point) => [
  values.filter((value) => value > 0).reduce((sum, value) => sum + value, 0),
  values.filter((value) => value < 0).reduce((sum, value) => sum + value, 0),
];

export default function StackedChart({ series, points, summary }: StackedChartProps) {
  return (
    <figure className={styles.chart} aria-label={summary}>
      {series.length > 1 && <Legend entries={series} />}
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart
          data={points}
          margin={{ ...MARGIN, right: 18 }}
          accessibilityLayer
          desc={summary}
          stackOffset="sign"
        >
          <CartesianGrid {...GRID} />
          <XAxis {...AXIS} dataKey="short" minTickGap={20} tickMargin={8} />
          <YAxis {...moneyAxis(points.flatMap(ends))} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--quiet-background)" }}
            content={({ active, payload }) => {
              const point = payload?.[0]?.payload as Point | undefined;
              if (!active || !point) return null;
              const lines = series.map(({ name }, index) => [name, money(point.values[index] ?? 0)] as const);
              return <ChartTooltip title={point.name} lines={lines} />;
            }}
          />
          {series.map(({ key, name }, index) => (
            <Bar
              key={key}
              name={name}
              stackId="all"
              dataKey={({ values }: Point) => values[index]}
              fill={seriesColor(index)}
              maxBarSize={34}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </figure>
  );
}
