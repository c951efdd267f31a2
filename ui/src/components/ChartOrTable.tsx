// A chart and a table, with a switch between them.
import { Group, SegmentedControl } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { overviewStrings } from "../strings/pt-BR.overview";
import { Panel } from "./Panel";

const words = overviewStrings.overview;

interface ChartOrTableProps {
  title: string;
  hint: string;
  chart: ReactNode;
  table: ReactNode;
  /** A tool of the chart, next to the switch. */
  tool?: ReactNode;
}

export function ChartOrTable({ title, hint, chart, table, tool }: ChartOrTableProps) {
  const [view, setView] = useState("chart");
  const control = (
    <Group gap="xs" wrap="nowrap" data-tools>
      {view === "chart" && tool}
      <SegmentedControl
        size="xs"
        aria-label={words.viewOf(title)}
        value={view}
        onChange={setView}
        data={[
          { value: "chart", label: words.chart },
          { value: "table", label: words.table },
        ]}
      />
    </Group>
  );
  return (
    <Panel title={title} hint={hint} action={control}>
      {view === "chart" ? chart : table}
    </Panel>
  );
}
