// A list of users: search and filters in the address, a table, and a button that creates a user. The page reads the
// users and passes them in.
import { Button } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import type { RowData } from "@tanstack/react-table";
import type { Flash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import type { Columns } from "../../components/table/features";
import type { TableList } from "../../components/table/useList";
import { usersStrings } from "../../strings/pt-BR.users";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./columns";

const words = usersStrings.users;

interface UsersScreenProps<Row extends RowData & { id: string }> {
  name: string;
  title?: string;
  hint: string;
  empty?: string;
  columns: Columns<Row>;
  card: (user: Row) => Card;
  target: (user: Row) => RowTarget;
  list: TableList<Row>;
  flash: Flash;
  onNew: () => void;
}

export function UsersScreen<Row extends RowData & { id: string }>(props: UsersScreenProps<Row>) {
  const { flash } = props;
  return (
    <>
      <PageHeader
        title={props.title ?? words.title}
        hint={props.hint}
        actions={
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={props.onNew}>
            {words.new}
          </Button>
        }
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <DataTable
        name={props.name}
        label={words.table}
        columns={props.columns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        orderWords={{ asc: words.nameAscending, desc: words.nameDescending }}
        list={props.list}
        icon={IconUsers}
        words={props.empty ? { ...words, empty: props.empty } : words}
        rowId={({ id }) => id}
        rowTarget={props.target}
        card={props.card}
      />
    </>
  );
}
