// The largest amounts of a list as bars, one below the other. A lazy chunk, because it carries the charting library.
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { money, moneyOnAxis, percent } from "../../format/money";
import { truncate } from "../../format/text";
import { AXIS, GRID, MARGIN, moneyAxis } from "./axes";
import { ChartTooltip } from "./ChartTooltip";

interface Ranked {
  name: string;
  /** In cents. */
  value: number;
  /** The part of the total, from 0 to 1. */
  share: number;
}

interface RankedChartProps {
  bars: Ranked[];
  /** The name of the amounts. */
  figure: string;
  /** A sentence that describes the chart. */
  summary: string;
}

const BAR_HEIGHT_PX = 34;
const AXIS_HEIGHT_PX = 40;
const NAME_WIDTH_PX = 168;
const NAME_CHARS_MAX = 22;

export default function RankedChart({ bars, figure, summary }: RankedChartProps) {
  const { ticks, domain } = moneyAxis(bars.map(({ value }) => value));
  return (
    <div role="img" aria-label={summary}>
      <ResponsiveContainer width="100%" height={AXIS_HEIGHT_PX + BAR_HEIGHT_PX * bars.length}>
        <BarChart data={bars} layout="vertical" margin={{ ...MARGIN, right: 24 }} accessibilityLayer={false}>
          <CartesianGrid {...GRID} vertical horizontal={false} />
          <XAxis {...AXIS} type="number" ticks={ticks} domain={domain} tickFormatter={moneyOnAxis} />
          <YAxis
            {...AXIS}
            type="category"
            dataKey="name"
            width={NAME_WIDTH_PX}
            interval={0}
            tickFormatter={(name: string) => truncate(name, NAME_CHARS_MAX)}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--quiet-background)" }}
            content={({ active, payload }) => {
              const bar = payload?.[0]?.payload as Ranked | undefined;
              if (!active || !bar) return null;
              return (
                <ChartTooltip
                  title={bar.name}
                  lines={[[figure, `${money(bar.value)} (${percent(bar.share)})`]]}
                />
              );
            }}
          />
          <Bar
            dataKey="value"
            fill="var(--chart-line)"
            radius={[0, 3, 3, 0]}
            maxBarSize={22}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
