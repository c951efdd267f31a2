// The columns of staff's lists of holds and of documents, and the same rows as cards.
import type { HoldDocument, HoldRow } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { age } from "../../format/age";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { holdsStrings } from "../../strings/pt-BR.holds";
import styles from "./Holds.module.css";
import { DocumentBadge, HoldBadge } from "./holdBadges";
import { staffHoldPath } from "./holdCalls";

const words = holdsStrings.staff;
const queueWords = holdsStrings.queue;
const titles = holdsStrings.columns;
const queueTitles = queueWords.columns;

export const holdTarget = (row: HoldRow) => ({
  to: staffHoldPath(row),
  label: words.open(holdsStrings.kinds[row.kind], row.business_name),
});

/** How long the money is held. */
function ageOf({ placed_at, ended_at }: HoldRow): string {
  const end = ended_at ? new Date(ended_at) : businessNow();
  return age((end.getTime() - new Date(placed_at).getTime()) / 1000);
}

const hold = columnsFor<HoldRow>();

export const holdColumns = [
  hold.ordered(
    "placedAt",
    titles.placedAt,
    (row) => (
      <span className={styles.lines}>
        <Instant at={row.placed_at} />
        <span className={shared.dim}>{words.age(ageOf(row))}</span>
      </span>
    ),
    { fixed: true },
  ),
  hold.shown(
    "business",
    titles.business,
    (row) => <RowLink target={holdTarget(row)}>{row.business_name}</RowLink>,
    { fixed: true },
  ),
  hold.shown("kind", titles.kind, ({ kind }) => holdsStrings.kinds[kind]),
  hold.shown("amount", titles.amount, (row) => money(row.amount), { align: "end", fixed: true }),
  hold.shown("placed", titles.placed, (row) => money(row.placed), { align: "end" }),
  hold.shown("released", titles.released, (row) => money(row.released), { align: "end" }),
  hold.shown("paid", titles.paid, (row) => money(row.paid), { align: "end" }),
  hold.shown("missing", titles.missing, (row) => money(row.missing), { align: "end" }),
  hold.shown("reason", titles.reason, ({ reason }) => reason),
  hold.shown("until", titles.until, ({ until }) => (until ? businessDate(until) : strings.list.none)),
  hold.shown(
    "documentsMissing",
    titles.documentsMissing,
    ({ documents_missing }) => documents_missing.join(", ") || strings.list.none,
  ),
  hold.shown("caseNumber", titles.caseNumber, ({ case_number }) => case_number ?? strings.list.none),
  hold.shown("court", titles.court, ({ court }) => court ?? strings.list.none),
  hold.shown("state", titles.state, ({ state }) => <HoldBadge state={state} />),
  hold.shown("endedAt", titles.endedAt, ({ ended_at }) =>
    ended_at ? <Instant at={ended_at} /> : strings.list.none,
  ),
];

export const HOLDS_HIDDEN_AT_FIRST = [
  "reason",
  "placed",
  "released",
  "paid",
  "caseNumber",
  "court",
  "endedAt",
] as const;

/** On a phone, a hold that is not ended shows when to look at it again. */
const holdNote = (row: HoldRow) =>
  [
    holdsStrings.kinds[row.kind],
    words.age(ageOf(row)),
    row.until && row.state === "open" && words.reviewOn(businessDate(row.until)),
  ]
    .filter(Boolean)
    .join(" · ");

export const holdCard = (row: HoldRow): Card => ({
  title: row.business_name,
  value: money(row.amount),
  note: holdNote(row),
  badge: <HoldBadge state={row.state} />,
});

export const documentTarget = (row: HoldDocument) => ({
  to: staffHoldPath({ id: row.hold_id, business_id: row.business_id }),
  label: queueWords.open(row.asked, row.business_name),
});

const sent = columnsFor<HoldDocument>();

export const documentColumns = [
  sent.ordered("sentAt", queueTitles.sentAt, (row) => <Instant at={row.sent_at} />, { fixed: true }),
  sent.shown("business", queueTitles.business, ({ business_name }) => business_name),
  sent.shown(
    "asked",
    queueTitles.asked,
    (row) => <RowLink target={documentTarget(row)}>{row.asked}</RowLink>,
    {
      fixed: true,
    },
  ),
  sent.shown("fileName", queueTitles.fileName, ({ file_name }) => file_name),
  sent.shown("holdKind", queueTitles.holdKind, ({ hold_kind }) =>
    hold_kind ? holdsStrings.kinds[hold_kind] : strings.list.none,
  ),
  sent.shown(
    "holdAmount",
    queueTitles.holdAmount,
    ({ hold_amount }) => (hold_amount === null ? strings.list.none : money(hold_amount)),
    { align: "end" },
  ),
  sent.shown("sentBy", queueTitles.sentBy, ({ sent_by }) => sent_by),
  sent.shown("state", queueTitles.state, ({ state }) => <DocumentBadge state={state} />, { fixed: true }),
  sent.shown("note", queueTitles.note, ({ note }) => note ?? strings.list.none),
  sent.shown("answeredBy", queueTitles.answeredBy, ({ answered_by }) => answered_by ?? strings.list.none),
  sent.shown("answeredAt", queueTitles.answeredAt, ({ answered_at }) =>
    answered_at ? <Instant at={answered_at} /> : strings.list.none,
  ),
];

export const DOCUMENTS_HIDDEN_AT_FIRST = ["note", "answeredBy", "answeredAt"] as const;

export const documentCard = (row: HoldDocument): Card => ({
  title: row.asked,
  value: "",
  note: `${row.business_name} · ${row.file_name}`,
  badge: <DocumentBadge state={row.state} />,
});
