// A list of users: search and filters in the address, a table, and a button that creates a user. The page reads the
// users and passes them in.
import { Button } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { Download } from "../../api/download";
import type { Paged, Read } from "../../api/hooks";
import { FilterSelect } from "../../components/FilterSelect";
import type { Flash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { ServerMessage } from "../../components/ServerMessage";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Columns } from "../../components/table/features";
import type { ListState } from "../../components/table/listState";
import { usersStrings } from "../../strings/pt-BR.users";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./columns";
import { activeChoices, type UserFilters } from "./filters";

const words = usersStrings.users;

interface UsersScreenProps<Row extends RowData & { id: string }> {
  name: string;
  title?: string;
  hint: string;
  empty?: string;
  read: Read<Paged<Row>>;
  columns: Columns<Row>;
  card: (user: Row) => Card;
  target: (user: Row) => RowTarget;
  list: ListState;
  filters: UserFilters;
  searchHint: string;
  /** The groups to filter by, and their names; undefined if the list has no such filter. */
  groups?: Readonly<Record<string, string>>;
  /** Only staff choose a company. */
  companyFilter?: ReactNode;
  download: Download;
  flash: Flash;
  onNew: () => void;
}

export function UsersScreen<Row extends RowData & { id: string }>(props: UsersScreenProps<Row>) {
  const { read, filters, flash } = props;
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
        read={read}
        filters={<Filters {...props} />}
        empty={
          <EmptyList
            filters={filters}
            icon={IconUsers}
            words={props.empty ? { ...words, empty: props.empty } : words}
          />
        }
        rowId={({ id }) => id}
        rowTarget={props.target}
        card={props.card}
        download={props.download}
      />
    </>
  );
}

type FiltersProps = Pick<
  UsersScreenProps<{ id: string }>,
  "filters" | "groups" | "companyFilter" | "searchHint"
>;

function Filters({ filters, groups, companyFilter, searchHint }: FiltersProps) {
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={searchHint}
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      {companyFilter}
      {groups && (
        <FilterSelect
          label={words.group}
          placeholder={words.all}
          options={groups}
          value={filters.group}
          onChange={(group) => filters.change({ group })}
        />
      )}
      <FilterSelect
        label={words.active}
        placeholder={words.all}
        options={activeChoices}
        value={filters.active}
        onChange={(active) => filters.change({ active })}
      />
    </>
  );
}
