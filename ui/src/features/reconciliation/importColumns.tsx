// The columns of the imports, and the same row as a card.
import type { SettlementImport } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Badge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
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
  const { state, failure, bytes, bytes_read, bad_lines } = row;
  if (state === "done" && bad_lines > 0) return <Badge tone="wait">{words.doneWithBadLines}</Badge>;
  if (failure === "nothing_taken") return <Badge tone="bad">{words.nothingTaken}</Badge>;
  const part = state === "reading" && bytes > 0 ? ` · ${percent(bytes_read / bytes)}` : "";
  return <Badge tone={TONES[state]}>{`${words.states[state]}${part}`}</Badge>;
}

export function sourceText({ source, file_name, day }: SettlementImport): string {
  const name = words.sources[source as keyof typeof words.sources];
  return file_name ?? (day ? `${name} · ${businessDate(day)}` : name);
}

/** The import, opened over the list. */
export function importTarget(row: SettlementImport): RowTarget {
  return { to: { search: searchOpening("import", row.id) }, label: words.open(sourceText(row)) };
}

const column = columnsFor<SettlementImport>();
const count = (id: keyof typeof titles, number: (row: SettlementImport) => number) =>
  column.shown(id, titles[id], (row) => wholeNumber(number(row)), { align: "end" });

export const IMPORT_HIDDEN_AT_FIRST = ["lines"] as const;

export const importColumns = [
  column.shown("createdAt", titles.createdAt, (row) => <Instant at={row.created_at} />, { fixed: true }),
  column.shown(
    "source",
    titles.source,
    (row) => <RowLink target={importTarget(row)}>{truncate(sourceText(row), NAME_CHARS_SHOWN)}</RowLink>,
    { fixed: true },
  ),
  column.shown("provider", titles.provider, (row) => providerName(row.provider)),
  column.shown("state", titles.state, (row) => <ImportBadge row={row} />),
  count("lines", ({ lines_read }) => lines_read),
  count("records", ({ records_read }) => records_read),
  count("changed", ({ records_changed }) => records_changed),
  count("bad", ({ bad_lines }) => bad_lines),
  column.shown("by", titles.by, (row) => row.imported_by ?? words.automatic),
];

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
