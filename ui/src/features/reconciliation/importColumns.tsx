// The columns of the imports, and the same row as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { SettlementImport } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Badge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { percent, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { truncate } from "../../format/text";
import { settlementsStrings } from "../../strings/pt-BR.settlements";

const words = settlementsStrings.imports;
const titles = words.columns;

/** The modal shows the whole name. */
const NAME_CHARS_SHOWN = 34;

const TONES = { receiving: "info", waiting: "wait", reading: "info", done: "good", failed: "bad" } as const;

/** Whether the import is neither done nor failed, so that its figures may change. */
export const isUnfinished = ({ state }: Pick<SettlementImport, "state">) =>
  state !== "done" && state !== "failed";

export function ImportBadge({ row }: { row: SettlementImport }) {
  const { state, bytes, bytes_read } = row;
  const part = state === "reading" && bytes > 0 ? ` · ${percent(bytes_read / bytes)}` : "";
  return <Badge tone={TONES[state]}>{`${words.states[state]}${part}`}</Badge>;
}

export function sourceText({ source, file_name, day }: SettlementImport): string {
  const name = words.sources[source as keyof typeof words.sources];
  return file_name ?? (day ? `${name} · ${businessDate(day)}` : name);
}

/** The import, opened over the list. */
export function importTarget(row: SettlementImport): RowTarget {
  const search = new URLSearchParams(window.location.search);
  search.set("import", row.id);
  return { to: { search: `?${search}` }, label: words.open(sourceText(row)) };
}

const column = createColumnHelper<Features, SettlementImport>();
const count = (id: keyof typeof titles, number: (row: SettlementImport) => number) =>
  column.display({
    id,
    header: titles[id],
    meta: { align: "end" },
    cell: ({ row }) => wholeNumber(number(row.original)),
  });

export const IMPORT_HIDDEN_AT_FIRST = ["lines"] as const;

export const importColumns = column.columns([
  column.display({
    id: "createdAt",
    header: titles.createdAt,
    enableHiding: false,
    cell: ({ row }) => <Instant at={row.original.created_at} />,
  }),
  column.display({
    id: "source",
    header: titles.source,
    enableHiding: false,
    cell: ({ row }) => (
      <RowLink target={importTarget(row.original)}>
        {truncate(sourceText(row.original), NAME_CHARS_SHOWN)}
      </RowLink>
    ),
  }),
  column.display({
    id: "provider",
    header: titles.provider,
    cell: ({ row }) => providerName(row.original.provider),
  }),
  column.display({
    id: "state",
    header: titles.state,
    cell: ({ row }) => <ImportBadge row={row.original} />,
  }),
  count("lines", ({ lines_read }) => lines_read),
  count("records", ({ records_read }) => records_read),
  count("changed", ({ records_changed }) => records_changed),
  count("bad", ({ bad_lines }) => bad_lines),
  column.display({
    id: "by",
    header: titles.by,
    cell: ({ row }) => row.original.imported_by ?? words.automatic,
  }),
]);

export function importCard(row: SettlementImport): Card {
  return {
    title: sourceText(row),
    value: words.payments(wholeNumber(row.records_read), row.records_read),
    note: (
      <>
        {providerName(row.provider)} · <Instant at={row.created_at} />
      </>
    ),
    badge: <ImportBadge row={row} />,
  };
}
