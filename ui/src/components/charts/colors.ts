// The colors of several series in one chart, told apart in both themes.
export const SERIES_COLORS = [
  "var(--chart-line)",
  "var(--info-text)",
  "var(--wait-text)",
  "var(--alarm-text)",
  "var(--bad-text)",
  "var(--quiet-text)",
] as const;

export const seriesColor = (index: number) => SERIES_COLORS[index % SERIES_COLORS.length];
