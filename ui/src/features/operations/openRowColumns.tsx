// The columns that the lists of late payouts, refunds and e-mails have in common.
import { createColumnHelper } from "@tanstack/react-table";
import type { OpenRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Features } from "../../components/table/features";
import { wholeNumber } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";

const titles = words.columns;

export const openRowColumns = <Row extends OpenRow>() => {
  const column = createColumnHelper<Features, Row>();
  return [
    column.display({
      id: "since",
      header: titles.since,
      cell: ({ row }) => <Instant at={row.original.created_at} />,
    }),
    column.display({
      id: "tries",
      header: titles.tries,
      meta: { align: "end" },
      cell: ({ row }) => wholeNumber(row.original.tries),
    }),
    column.display({
      id: "error",
      header: titles.error,
      cell: ({ row }) => row.original.last_error ?? words.noError,
    }),
    column.display({
      id: "nextTry",
      header: titles.nextTry,
      cell: ({ row }) => (row.original.next_try_at ? <Instant at={row.original.next_try_at} /> : words.noTry),
    }),
  ];
};
