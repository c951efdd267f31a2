// E-mails that no mail server has taken in time.
import { IconMailCheck } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useApi } from "../../api/hooks";
import type { LateEmail } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { OperationsList } from "./OperationsList";
import { openRowColumns } from "./openRowColumns";

const titles = words.columns;
const column = createColumnHelper<Features, LateEmail>();
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
  ...openRowColumns<LateEmail>(),
]);

const card = (email: LateEmail): Card => ({
  title: email.recipient,
  value: words.triesCount(email.tries),
  note: <Instant at={email.created_at} />,
  badge: email.last_error ?? words.noError,
});

export function LateEmails() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/emails", { query: { page, perPage } });
  return (
    <OperationsList
      // The name under which browsers have stored the hidden columns.
      name="stuckEmails"
      words={words.emails}
      icon={IconMailCheck}
      columns={columns}
      list={list}
      read={read}
      rowId={({ id }) => id}
      card={card}
    />
  );
}
