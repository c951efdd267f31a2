// The columns of lists with two axes of time: both instants of a row. `recordedAt` can be hidden unless it orders the
// rows. The card shows the instant that orders them.
import { createColumnHelper } from "@tanstack/react-table";
import { Instant } from "../../components/Instant";
import type { Features } from "../../components/table/features";
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
  const column = createColumnHelper<Features, Row>();
  return {
    occurredAt: column.accessor((row) => row.occurred_at, {
      id: "occurredAt",
      header: titles.occurredAt,
      enableHiding: false,
      enableSorting: axis === "effective",
      cell: ({ row }) => <Instant at={row.original.occurred_at} />,
    }),
    recordedAt: column.accessor((row) => row.recorded_at, {
      id: "recordedAt",
      header: titles.recordedAt,
      enableHiding: axis !== "recorded",
      enableSorting: axis === "recorded",
      cell: ({ row }) => <Instant at={row.original.recorded_at} />,
    }),
  };
}

/** The instant that orders the rows. */
export function AxisInstant({ of, axis }: { of: Dated; axis: Axis }) {
  return <Instant at={axis === "recorded" ? of.recorded_at : of.occurred_at} />;
}
