// The columns of the lists of terminals, and the same row as a card. Staff see the company, sellers the latest sale.
import { createColumnHelper } from "@tanstack/react-table";
import type { OwnTerminal, Terminal } from "../../api/models";
import { Instant } from "../../components/Instant";
import { TerminalBadge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
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
  const search = new URLSearchParams(window.location.search);
  search.set("terminal", id);
  return { to: { search: `?${search}` }, label: terminalStrings.staff.open(serial_number) };
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

const staff = createColumnHelper<Features, Terminal>();

/** The gateway sorts by one of two columns. Only the header of that column can be clicked to change the order. */
const columnsOrderedBy = (ordered: "serial_number" | "created_at") =>
  staff.columns([
    staff.accessor("serial_number", {
      id: SERIAL_NUMBER_COLUMN,
      header: titles.serialNumber,
      enableHiding: false,
      enableSorting: ordered === "serial_number",
      cell: ({ row }) => (
        <RowLink target={terminalTarget(row.original)}>{row.original.serial_number}</RowLink>
      ),
    }),
    staff.display({
      id: "name",
      header: titles.name,
      enableSorting: false,
      cell: ({ row }) => <Shortened text={row.original.name ?? none} />,
    }),
    staff.display({
      id: "business",
      header: titles.business,
      enableSorting: false,
      cell: ({ row }) => <Shortened text={row.original.business?.name ?? none} />,
    }),
    staff.display({
      id: "document",
      header: titles.document,
      enableSorting: false,
      cell: ({ row }) => (row.original.business ? taxId(row.original.business.document) : none),
    }),
    staff.display({
      id: "status",
      header: titles.status,
      enableSorting: false,
      cell: ({ row }) => <Status terminal={row.original} />,
    }),
    staff.display({
      id: "since",
      header: titles.since,
      enableSorting: false,
      cell: ({ row }) => <InstantOrNone at={row.original.owned_since} />,
    }),
    staff.display({
      id: "billing",
      header: titles.billing,
      enableSorting: false,
      cell: ({ row }) => billingTypeText(row.original),
    }),
    staff.display({
      id: "acquisition",
      header: titles.acquisition,
      enableSorting: false,
      cell: ({ row }) => acquisitionText(row.original),
    }),
    staff.display({
      id: "monthlyPrice",
      header: titles.monthlyPrice,
      enableSorting: false,
      meta: { align: "end" },
      cell: ({ row }) => monthlyPriceText(row.original),
    }),
    staff.accessor("created_at", {
      id: CREATED_COLUMN,
      header: titles.createdAt,
      enableHiding: ordered !== "created_at",
      enableSorting: ordered === "created_at",
      cell: ({ row }) => <Instant at={row.original.created_at} />,
    }),
  ]);

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

const own = createColumnHelper<Features, OwnTerminal>();

export const ownTerminalColumns = own.columns([
  own.display({
    id: "name",
    header: titles.name,
    enableSorting: false,
    cell: ({ row }) => <Shortened text={row.original.name ?? none} />,
  }),
  own.accessor("serial_number", {
    id: SERIAL_NUMBER_COLUMN,
    header: titles.serialNumber,
    enableHiding: false,
    cell: ({ row }) => (
      <RowLink target={machineSalesTarget(row.original)}>{row.original.serial_number}</RowLink>
    ),
  }),
  own.display({
    id: "billing",
    header: titles.billing,
    enableSorting: false,
    cell: ({ row }) => billingTypeText(row.original),
  }),
  own.display({
    id: "monthlyPrice",
    header: titles.monthlyPrice,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => monthlyPriceText(row.original),
  }),
  own.display({
    id: "since",
    header: titles.since,
    enableSorting: false,
    cell: ({ row }) => <InstantOrNone at={row.original.owned_since} />,
  }),
  own.display({
    id: "lastSale",
    header: titles.lastSale,
    enableSorting: false,
    cell: ({ row }) => <InstantOrNone at={row.original.last_sale?.occurred_at ?? null} />,
  }),
  own.display({
    id: "lastSaleAmount",
    header: titles.lastSaleAmount,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => (row.original.last_sale ? money(row.original.last_sale.amount) : none),
  }),
]);

export function ownTerminalCard(terminal: OwnTerminal): Card {
  const { last_sale } = terminal;
  return {
    title: machineName(terminal),
    value: last_sale ? money(last_sale.amount) : "",
    note: (
      <>
        {terminal.name && <>{terminal.serial_number} · </>}
        {last_sale ? <Instant at={last_sale.occurred_at} /> : terminalStrings.machine.noSale}
      </>
    ),
    badge: "",
  };
}

function Shortened({ text }: { text: string }) {
  return <span title={text}>{truncate(text)}</span>;
}
