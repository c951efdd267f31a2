// The terminals of all companies, and those in stock. A row opens the terminal's history over the list.
import { Button } from "@mantine/core";
import {
  IconBuildingStore,
  IconCashBanknote,
  IconDeviceMobilePlus,
  IconDevices,
  IconTrash,
} from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Terminal } from "../../api/models";
import { useNamedBusiness } from "../../components/BusinessSelect";
import { type Flash, useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { choice, company, given, numberOf, search, sortChoice } from "../../components/table/filters";
import { useOpened } from "../../components/table/opened";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import {
  CREATED_COLUMN,
  HIDDEN_AT_FIRST,
  SERIAL_NUMBER_COLUMN,
  terminalCard,
  terminalColumns,
  terminalTarget,
} from "./columns";

const TerminalHistoryModal = lazy(() => import("./TerminalHistoryModal"));
const RemoveTerminalModal = lazy(() => import("./RemoveTerminalModal"));

const words = terminalStrings.staff;

const FILTERS = {
  business: company(words.business, words.anyBusiness),
  serial: search(words.serial, words.serialHint),
  status: choice(terminalStrings.columns.status, words.all, terminalStrings.status),
  billing: choice(terminalStrings.columns.billing, words.allFeminine, terminalStrings.billingTypes),
  sort: sortChoice(words.sort, "serial_number", words.sorts),
};

export default function TerminalsPage() {
  const list = useList("/admin/terminals", {
    filters: FILTERS,
    query: ({ business, serial, status, billing, sort }, order) => ({
      ...given({ business_id: business, serial_number: serial, status, billing_type: numberOf(billing) }),
      sort,
      order,
    }),
    firstOrder: "asc",
    file: words.file,
  });
  const { sort } = list.chosen;
  const byCreation = sort === "created_at";
  const flash = useFlash();
  const [opened, setOpened] = useOpened("terminal");
  const [removing, setRemoving] = useState<Terminal>();
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={<EnableButton flash={flash} businessId={list.chosen.business} />}
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
        icon={IconDevices}
        words={words}
        rowId={({ id }) => id}
        rowTarget={terminalTarget}
        card={terminalCard}
        rowActions={(terminal) => <Actions terminal={terminal} flash={flash} onRemove={setRemoving} />}
      />
      <Suspense>
        {opened && <TerminalHistoryModal id={opened} onClose={() => setOpened(null)} />}
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

function EnableButton({ flash, businessId }: { flash: Flash; businessId: string | null }) {
  const modals = useModals();
  const chosen = useNamedBusiness(businessId);
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
