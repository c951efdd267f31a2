// The colors of the series of a chart. After the sixth series they repeat.
const SERIES_COLORS = [
  "var(--chart-line)",
  "var(--chart-2)",
  "var(--chart-3)",
  "var(--alarm-text)",
  "var(--bad-text)",
  "var(--quiet-text)",
] as const;

export const seriesColor = (index: number) => SERIES_COLORS[index % SERIES_COLORS.length];
