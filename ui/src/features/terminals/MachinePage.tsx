// The card machines of the seller's company: figures of their sales, the machines, and shortcuts.
import { IconCalculator, IconDevices, IconPencil, IconReceipt, IconReceiptTax } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import type { OwnTerminal } from "../../api/models";
import { useBusiness } from "../../api/session";
import { useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { Shortcuts } from "../../components/Shortcuts";
import { DataTable } from "../../components/table/DataTable";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import {
  machineSalesTarget,
  OWN_HIDDEN_AT_FIRST,
  ownTerminalCard,
  ownTerminalColumns,
  SERIAL_NUMBER_COLUMN,
} from "./columns";
import { MachineFigures } from "./MachineFigures";
import { machineName } from "./terminalText";

const words = terminalStrings.machine;

export default function MachinePage() {
  const business = useBusiness();
  const list = useList("/business/{businessId}/terminals", {
    path: { businessId: business.id },
    query: (_, order) => ({ order }),
    firstOrder: "asc",
    file: terminalStrings.staff.file,
    company: business.name,
  });
  const flash = useFlash();
  return (
    <>
      <PageHeader title={words.title} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <MachineFigures businessId={business.id} machines={list.read.data?.meta.total} />
      <Shortcuts label={words.shortcuts} shortcuts={SHORTCUTS} />
      <DataTable
        name="machines"
        label={words.table}
        columns={ownTerminalColumns}
        hiddenAtFirst={OWN_HIDDEN_AT_FIRST}
        orderColumn={SERIAL_NUMBER_COLUMN}
        orderWords={{ asc: terminalStrings.staff.ascending, desc: terminalStrings.staff.descending }}
        list={list}
        icon={IconDevices}
        words={words}
        rowId={({ id }) => id}
        rowTarget={machineSalesTarget}
        card={ownTerminalCard}
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
  { route: "/maquininha/vendas", icon: IconReceipt, text: words.cards["/maquininha/vendas"] },
  { route: "/maquininha/calculadora", icon: IconCalculator, text: words.cards["/maquininha/calculadora"] },
  { route: "/maquininha/taxas", icon: IconReceiptTax, text: words.cards["/maquininha/taxas"] },
] as const;
