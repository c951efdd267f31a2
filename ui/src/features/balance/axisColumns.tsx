// The columns of lists with two axes of time: both instants of a row. `recordedAt` can be hidden unless it orders the
// rows. The card shows the instant that orders them.
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import type { Axis } from "./asOf";

interface Dated {
  occurred_at: string;
  recorded_at: string;
}

export const ORDER_COLUMN: Readonly<Record<Axis, string>> = {
  effective: "occurredAt",
  recorded: "recordedAt",
};

export const HIDDEN_AT_FIRST: Readonly<Record<Axis, readonly string[]>> = {
  effective: ["recordedAt"],
  recorded: [],
};

export function axisColumns<Row extends Dated>(
  axis: Axis,
  titles: Readonly<Record<"occurredAt" | "recordedAt", string>>,
) {
  const column = columnsFor<Row>();
  return {
    occurredAt: column.ordered("occurredAt", titles.occurredAt, (row) => <Instant at={row.occurred_at} />, {
      fixed: true,
      isOrder: axis === "effective",
    }),
    recordedAt: column.ordered("recordedAt", titles.recordedAt, (row) => <Instant at={row.recorded_at} />, {
      fixed: axis === "recorded",
      isOrder: axis === "recorded",
    }),
  };
}

/** The instant that orders the rows. */
export function AxisInstant({ of, axis }: { of: Dated; axis: Axis }) {
  return <Instant at={axis === "recorded" ? of.recorded_at : of.occurred_at} />;
}
