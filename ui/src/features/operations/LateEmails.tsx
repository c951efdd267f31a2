// E-mails that no mail server has taken in time.
import { IconMailCheck } from "@tabler/icons-react";
import type { LateEmail } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import styles from "./Operations.module.css";
import { openRowColumns } from "./openRowColumns";
import { useRetries } from "./useRetries";

const titles = words.columns;
const column = columnsFor<LateEmail>();
const columns = [
  column.shown("recipient", titles.recipient, (row) => row.recipient, { fixed: true }),
  column.shown("kind", titles.kind, (row) => words.emailKinds[row.kind] ?? row.kind),
  ...openRowColumns<LateEmail>(),
];

const card = (email: LateEmail): Card => ({
  title: email.recipient,
  value: words.triesCount(email.tries),
  note: <Instant at={email.created_at} />,
  badge: email.last_error ?? words.noError,
});

export function LateEmails() {
  const list = useList("/admin/operations/emails");
  const retries = useRetries<LateEmail>("emails", ({ recipient }) => recipient, list.read);
  return (
    <div className={styles.request}>
      {retries.dialog}
      <DataTable
        // The name under which browsers have stored the hidden columns.
        name="stuckEmails"
        label={words.emails.table}
        words={words.emails}
        icon={IconMailCheck}
        columns={columns}
        list={list}
        rowId={({ id }) => id}
        card={card}
        afterFilters={retries.all}
        rowActions={retries.rowActions}
      />
    </div>
  );
}
