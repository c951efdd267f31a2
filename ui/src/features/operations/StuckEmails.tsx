// E-mails that no server has taken in time.
import { IconMailCheck } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useApi } from "../../api/hooks";
import type { StuckEmail } from "../../api/models";
import { Instant } from "../../components/Instant";
import { type Card, DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { wholeNumber } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { NO_FILTERS } from "./LateEffects";

const titles = words.columns;
const column = createColumnHelper<Features, StuckEmail>();
const columns = column.columns([
  column.display({
    id: "recipient",
    header: titles.recipient,
    enableHiding: false,
    cell: ({ row }) => row.original.recipient,
  }),
  column.display({
    id: "kind",
    header: titles.kind,
    cell: ({ row }) => words.emailKinds[row.original.kind] ?? row.original.kind,
  }),
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
]);

const card = (email: StuckEmail): Card => ({
  title: email.recipient,
  value: words.triesCount(email.tries),
  note: <Instant at={email.created_at} />,
  badge: email.last_error ?? words.noError,
});

export function StuckEmails() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/emails", { query: { page, perPage } });
  return (
    <DataTable
      name="stuckEmails"
      label={words.emails.table}
      columns={columns}
      list={list}
      read={read}
      empty={<EmptyList filters={NO_FILTERS} icon={IconMailCheck} words={words.emails} />}
      rowId={({ id }) => id}
      card={card}
    />
  );
}
