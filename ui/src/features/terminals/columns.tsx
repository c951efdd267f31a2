// The columns of the lists of terminals, and the same row as a card. Staff see the company, sellers the latest sale.
import type { OwnTerminal, Terminal } from "../../api/models";
import { Instant } from "../../components/Instant";
import { TerminalBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { money } from "../../format/money";
import { truncate } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { acquisitionText, billingText, billingTypeText, machineName, monthlyPriceText } from "./terminalText";

const titles = terminalStrings.columns;
const none = strings.list.none;

export const SERIAL_NUMBER_COLUMN = "serialNumber";
export const CREATED_COLUMN = "createdAt";
/** The columns that are hidden at first, by the sort column of the list. The sort column is always shown. */
export const HIDDEN_AT_FIRST = {
  serial_number: ["document", "acquisition", "createdAt"],
  created_at: ["document", "acquisition"],
} as const;
export const OWN_HIDDEN_AT_FIRST = ["since"] as const;

/** The history of a terminal, opened over the list. */
export function terminalTarget({ id, serial_number }: Terminal): RowTarget {
  return { to: { search: searchOpening("terminal", id) }, label: terminalStrings.staff.open(serial_number) };
}

/** The sales of a machine. */
export function machineSalesTarget(terminal: OwnTerminal): RowTarget {
  return {
    to: `/maquininha/vendas?terminal=${terminal.id}`,
    label: terminalStrings.machine.openSales(machineName(terminal)),
  };
}

const InstantOrNone = ({ at }: { at: string | null }) => (at ? <Instant at={at} /> : none);

function Status({ terminal }: { terminal: Terminal }) {
  const inUse = terminal.business !== null;
  return <TerminalBadge inUse={inUse} text={terminalStrings.status[inUse ? "in_use" : "in_stock"]} />;
}

const staff = columnsFor<Terminal>();

/** The gateway sorts by one of two columns. Only the header of that column can be clicked to change the order. */
const columnsOrderedBy = (ordered: "serial_number" | "created_at") => [
  staff.ordered(
    SERIAL_NUMBER_COLUMN,
    titles.serialNumber,
    (row) => <RowLink target={terminalTarget(row)}>{row.serial_number}</RowLink>,
    { fixed: true, isOrder: ordered === "serial_number" },
  ),
  staff.shown("name", titles.name, (row) => <Shortened text={row.name ?? none} />),
  staff.shown("business", titles.business, (row) => <Shortened text={row.business?.name ?? none} />),
  staff.shown("document", titles.document, (row) => (row.business ? taxId(row.business.document) : none)),
  staff.shown("status", titles.status, (row) => <Status terminal={row} />),
  staff.shown("since", titles.since, (row) => <InstantOrNone at={row.owned_since} />),
  staff.shown("billing", titles.billing, (row) => billingTypeText(row)),
  staff.shown("acquisition", titles.acquisition, (row) => acquisitionText(row)),
  staff.shown("monthlyPrice", titles.monthlyPrice, (row) => monthlyPriceText(row), { align: "end" }),
  staff.ordered(CREATED_COLUMN, titles.createdAt, (row) => <Instant at={row.created_at} />, {
    fixed: ordered === "created_at",
    isOrder: ordered === "created_at",
  }),
];

export const terminalColumns = {
  serial_number: columnsOrderedBy("serial_number"),
  created_at: columnsOrderedBy("created_at"),
};

export function terminalCard(terminal: Terminal): Card {
  return {
    title: terminal.serial_number,
    value: "",
    note: terminal.business ? `${terminal.business.name} · ${billingText(terminal)}` : none,
    badge: <Status terminal={terminal} />,
  };
}

const own = columnsFor<OwnTerminal>();

export const ownTerminalColumns = [
  own.shown("name", titles.name, (row) => <Shortened text={row.name ?? none} />),
  own.ordered(
    SERIAL_NUMBER_COLUMN,
    titles.serialNumber,
    (row) => <RowLink target={machineSalesTarget(row)}>{row.serial_number}</RowLink>,
    { fixed: true },
  ),
  own.shown("billing", titles.billing, (row) => billingTypeText(row)),
  own.shown("monthlyPrice", titles.monthlyPrice, (row) => monthlyPriceText(row), { align: "end" }),
  own.shown("since", titles.since, (row) => <InstantOrNone at={row.owned_since} />),
  own.shown("lastSale", titles.lastSale, (row) => <InstantOrNone at={row.last_sale?.occurred_at ?? null} />),
  own.shown(
    "lastSaleAmount",
    titles.lastSaleAmount,
    (row) => (row.last_sale ? money(row.last_sale.amount) : none),
    { align: "end" },
  ),
];

export function ownTerminalCard(terminal: OwnTerminal): Card {
  const { last_sale } = terminal;
  return {
    title: machineName(terminal),
    value: last_sale ? money(last_sale.amount) : "",
    note: (
      <>
        {terminal.name && <>{terminal.serial_number} · </>}
        {terminal.billing_type !== null && <>{billingTypeText(terminal)} · </>}
        {last_sale ? <Instant at={last_sale.occurred_at} /> : terminalStrings.machine.noSale}
      </>
    ),
    badge: "",
  };
}

function Shortened({ text }: { text: string }) {
  return <span title={text}>{truncate(text)}</span>;
}
