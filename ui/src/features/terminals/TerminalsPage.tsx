// The terminals of all companies, and those in stock. A row opens the terminal's history over the list.
import { Button } from "@mantine/core";
import {
  IconBuildingStore,
  IconCashBanknote,
  IconDeviceMobilePlus,
  IconDevices,
  IconTrash,
} from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import type { Terminal } from "../../api/models";
import { BusinessSelect, type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { FilterSelect } from "../../components/FilterSelect";
import { type Flash, useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import {
  CREATED_COLUMN,
  HIDDEN_AT_FIRST,
  SERIAL_NUMBER_COLUMN,
  terminalCard,
  terminalColumns,
  terminalTarget,
} from "./columns";
import { choices, type TerminalFilters, useTerminalFilters } from "./filters";

const TerminalHistoryModal = lazy(() => import("./TerminalHistoryModal"));
const RemoveTerminalModal = lazy(() => import("./RemoveTerminalModal"));

const words = terminalStrings.staff;

export default function TerminalsPage() {
  const filters = useTerminalFilters();
  const list = useListState({ order: "asc" });
  const sort = filters.sort ?? "serial_number";
  const byCreation = sort === "created_at";
  const flash = useFlash();
  const chosen = useNamedBusiness(filters.business);
  const query = { ...filters.query, order: list.order };
  const { read, download } = useList("/admin/terminals", { query }, list, words.file, chosen?.name);
  const [opened, setOpened] = useQueryState("terminal", parseAsString.withOptions({ history: "push" }));
  const [removing, setRemoving] = useState<Terminal>();
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={<EnableButton flash={flash} chosen={chosen} />}
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <DataTable
        // Each sort column has its own table, under whose name the browser remembers the visible columns.
        key={sort}
        name={byCreation ? "terminals-by-creation" : "terminals"}
        label={words.table}
        columns={terminalColumns[sort]}
        hiddenAtFirst={HIDDEN_AT_FIRST[sort]}
        orderColumn={byCreation ? CREATED_COLUMN : SERIAL_NUMBER_COLUMN}
        orderWords={byCreation ? words.byCreation : { asc: words.ascending, desc: words.descending }}
        list={list}
        read={read}
        filters={<Filters filters={filters} chosen={chosen} />}
        empty={<EmptyList filters={filters} icon={IconDevices} words={words} />}
        rowId={({ id }) => id}
        rowTarget={terminalTarget}
        card={terminalCard}
        download={download}
        rowActions={(terminal) => <Actions terminal={terminal} flash={flash} onRemove={setRemoving} />}
      />
      <Suspense>
        {opened && <TerminalHistoryModal id={opened} onClose={() => void setOpened(null)} />}
        {removing && (
          <RemoveTerminalModal
            terminal={removing}
            onClose={() => setRemoving(undefined)}
            onDone={(message) => {
              setRemoving(undefined);
              flash.show(message);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function EnableButton({ flash, chosen }: { flash: Flash; chosen: NamedBusiness | undefined }) {
  const modals = useModals();
  const enable = () =>
    modals.open(
      "TERMINAL_VIEW",
      { business: chosen },
      {
        onConfirm: ({ serial_number, business }) =>
          flash.show(terminalStrings.enable.done(serial_number, business?.name ?? "")),
      },
    );
  return (
    <Button leftSection={<IconDeviceMobilePlus size={18} aria-hidden />} onClick={enable}>
      {words.enable}
    </Button>
  );
}

interface ActionsProps {
  terminal: Terminal;
  flash: Flash;
  onRemove: (terminal: Terminal) => void;
}

function Actions({ terminal, flash, onRemove }: ActionsProps) {
  const modals = useModals();
  const { serial_number } = terminal;
  const disabledReason = terminal.business ? undefined : terminalStrings.actions.inStock;
  return (
    <RowActions
      row={serial_number}
      actions={[
        {
          label: terminalStrings.actions.company,
          icon: IconBuildingStore,
          run: () =>
            modals.open(
              "TERMINAL_EDIT",
              { terminal },
              {
                onConfirm: ({ business }) =>
                  flash.show(terminalStrings.company.done(serial_number, business?.name ?? "")),
              },
            ),
        },
        {
          label: terminalStrings.actions.billing,
          icon: IconCashBanknote,
          disabledReason,
          run: () =>
            modals.open(
              "TERMINAL_RENTAL_EDIT",
              { terminal },
              { onConfirm: () => flash.show(terminalStrings.billing.done(serial_number)) },
            ),
        },
        {
          label: terminalStrings.actions.remove,
          icon: IconTrash,
          disabledReason,
          run: () => onRemove(terminal),
        },
      ]}
    />
  );
}

function Filters({ filters, chosen }: { filters: TerminalFilters; chosen: NamedBusiness | undefined }) {
  return (
    <>
      <BusinessSelect
        label={words.business}
        placeholder={words.anyBusiness}
        size="sm"
        value={filters.business}
        onChange={(id) => filters.change({ business: id })}
        chosen={chosen}
      />
      <SearchField
        label={words.serial}
        placeholder={words.serialHint}
        value={filters.serial}
        onSearch={filters.changeSerial}
      />
      <FilterSelect
        label={terminalStrings.columns.status}
        placeholder={words.all}
        options={choices.status}
        value={filters.status}
        onChange={(status) => filters.change({ status })}
      />
      <FilterSelect
        label={terminalStrings.columns.billing}
        placeholder={words.allFeminine}
        options={choices.billing}
        value={filters.billing}
        onChange={(billing) => filters.change({ billing })}
      />
      <FilterSelect
        label={words.sort}
        placeholder={words.sorts.serial_number}
        options={words.sorts}
        value={filters.sort}
        onChange={(sort) => filters.change({ sort })}
      />
    </>
  );
}
