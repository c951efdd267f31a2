// The card machines of the seller's company: figures of their sales, the machines, and shortcuts.
import {
  IconCalculator,
  IconChevronRight,
  IconDevices,
  IconPencil,
  IconReceipt,
  IconReceiptTax,
} from "@tabler/icons-react";
import { Link, useNavigate } from "react-router";
import { screenTitle, useOpenable } from "../../api/access";
import type { OwnTerminal } from "../../api/models";
import { useBusiness } from "../../api/session";
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import {
  machineSalesTarget,
  ORDER_COLUMN,
  OWN_HIDDEN_AT_FIRST,
  ownTerminalCard,
  ownTerminalColumns,
} from "./columns";
import { MachineFigures } from "./MachineFigures";
import styles from "./Terminals.module.css";
import { machineName } from "./terminalText";

const words = terminalStrings.machine;
const NO_FILTERS = { any: false, clear: () => undefined };

export default function MachinePage() {
  const business = useBusiness();
  const list = useListState({ order: "asc" });
  const flash = useFlash();
  const { read, download } = useList(
    "/business/{businessId}/terminals",
    { path: { businessId: business.id }, query: { order: list.order } },
    list,
    terminalStrings.staff.file,
    business.name,
  );
  return (
    <>
      <PageHeader title={words.title} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <MachineFigures businessId={business.id} machines={read.data?.meta.total} />
      <Shortcuts />
      <DataTable
        name="machines"
        label={words.table}
        columns={ownTerminalColumns}
        hiddenAtFirst={OWN_HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        orderWords={{ asc: terminalStrings.staff.ascending, desc: terminalStrings.staff.descending }}
        list={list}
        read={read}
        empty={<EmptyList filters={NO_FILTERS} icon={IconDevices} words={words} />}
        rowId={({ id }) => id}
        rowTarget={machineSalesTarget}
        card={ownTerminalCard}
        download={download}
        rowActions={(terminal) => (
          <Actions terminal={terminal} businessId={business.id} onDone={flash.show} />
        )}
      />
    </>
  );
}

interface ActionsProps {
  terminal: OwnTerminal;
  businessId: string;
  onDone: (message: string) => void;
}

function Actions({ terminal, businessId, onDone }: ActionsProps) {
  const modals = useModals();
  const navigate = useNavigate();
  const renamed = ({ name, serial_number }: OwnTerminal) =>
    onDone(name ? terminalStrings.name.done(name) : terminalStrings.name.removed(serial_number));
  return (
    <RowActions
      row={machineName(terminal)}
      actions={[
        {
          label: words.rename,
          icon: IconPencil,
          run: () => modals.open("TERMINAL_EDIT_NAME", { terminal, businessId }, { onConfirm: renamed }),
        },
        { label: words.seeSales, icon: IconReceipt, run: () => navigate(machineSalesTarget(terminal).to) },
      ]}
    />
  );
}

const SHORTCUTS = [
  ["/maquininha/vendas", IconReceipt],
  ["/maquininha/calculadora", IconCalculator],
  ["/maquininha/taxas", IconReceiptTax],
] as const;

/** Links to the screens that exist and that the user may open. */
function Shortcuts() {
  const mayOpen = useOpenable();
  return (
    <ul className={styles.shortcuts} aria-label={words.shortcuts}>
      {SHORTCUTS.filter(([route]) => mayOpen(route)).map(([route, Icon]) => (
        <li key={route}>
          <Link to={route} className={styles.shortcut}>
            <Icon size={22} stroke={1.7} aria-hidden />
            <span className={styles.shortcutText}>
              <strong>{screenTitle(route)}</strong>
              <span>{words.cards[route]}</span>
            </span>
            <IconChevronRight size={18} aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  );
}
