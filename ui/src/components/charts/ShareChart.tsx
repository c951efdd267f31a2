// The parts of a total as a ring with their percentages. A lazy chunk, because it carries the charting library.
import { Pie, PieChart, ResponsiveContainer, Tooltip } from "recharts";
import { money, percent } from "../../format/money";
import { ChartTooltip } from "./ChartTooltip";
import { seriesColor } from "./colors";
import { Legend } from "./Legend";

interface Part {
  name: string;
  /** In cents. */
  value: number;
  /** The part of the total, from 0 to 1. */
  share: number;
}

interface ShareChartProps {
  parts: Part[];
  /** The name of the amounts. */
  figure: string;
  /** A sentence that describes the chart. */
  summary: string;
}

const HEIGHT = 240;

export default function ShareChart({ parts, figure, summary }: ShareChartProps) {
  const colored = parts.map((part, index) => ({ ...part, fill: seriesColor(index) }));
  return (
    <div role="img" aria-label={summary}>
      <Legend entries={parts.map(({ name, share }) => ({ name, note: percent(share) }))} />
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <PieChart accessibilityLayer={false}>
          <Tooltip
            isAnimationActive={false}
            content={({ active, payload }) => {
              const part = payload?.[0]?.payload as Part | undefined;
              if (!active || !part) return null;
              return (
                <ChartTooltip
                  title={part.name}
                  lines={[[figure, `${money(part.value)} (${percent(part.share)})`]]}
                />
              );
            }}
          />
          <Pie
            data={colored}
            dataKey="value"
            nameKey="name"
            innerRadius="58%"
            outerRadius="92%"
            stroke="var(--surface)"
            strokeWidth={2}
            startAngle={90}
            endAngle={-270}
            isAnimationActive={false}
          />
        </PieChart>
      </ResponsiveContainer>
    </div>
  );
}
