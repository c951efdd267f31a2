// The audit log of all records, for staff: who changed what, when and from where. A row opens its values over the list.
import { IconListSearch } from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import type { useApi } from "../../api/hooks";
import { useTimeZone } from "../../api/session";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { actorText, type Change, changesOf, predicate } from "../../components/history/historyText";
import { Instant } from "../../components/Instant";
import { PageHeader } from "../../components/PageHeader";
import shared from "../../components/Shared.module.css";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import { choice, company, given, periodIn, search } from "../../components/table/filters";
import { searchOpening, useOpened } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { useList } from "../../components/table/useList";
import { lookUp } from "../../format/lookUp";
import { truncate } from "../../format/text";
import { auditLogStrings as words } from "../../strings/pt-BR.auditLog";
import styles from "./AuditLog.module.css";

type Row = NonNullable<ReturnType<typeof useApi<"/admin/audit-log">>["data"]>["data"][number];

const titles = words.columns;
const ORDER_COLUMN = "at";
const HIDDEN_AT_FIRST = ["audience", "subjectId", "address"] as const;
/** The modal shows all of them. */
const CHANGES_SHOWN = 2;
const VALUE_CHARS_SHOWN = 36;

const FILTERS = {
  person: search(words.person, words.personHint),
  search: search(words.search, words.searchHint),
  subject: choice(titles.subject, words.allSubjects, words.subjects),
  audience: choice(titles.audience, words.allAudiences, words.audiences),
  business: company(words.business, words.anyBusiness),
  period: periodIn(),
};

const actionText = (row: Row) => lookUp(words.actions, row.action) ?? predicate(row, "user");

function target(row: Row): RowTarget {
  return {
    to: { search: searchOpening("entry", row.id) },
    label: words.open(actorText(row.actor), actionText(row)),
  };
}

/** The first fields of one side, such as "Nome: Caixa 2". */
function Values({ row, side }: { row: Row; side: "before" | "after" }) {
  const changes = changesOf(row, useTimeZone()).filter((change) => change[side] !== undefined);
  const more = changes.length - CHANGES_SHOWN;
  return (
    <>
      {changes.slice(0, CHANGES_SHOWN).map(({ field, label, [side]: value = "" }) => (
        <div key={field} title={value}>
          <span className={shared.dim}>{label}:</span> {truncate(value, VALUE_CHARS_SHOWN)}
        </div>
      ))}
      {more > 0 && <div className={shared.dim}>{words.more(more)}</div>}
    </>
  );
}

const helper = columnsFor<Row>();

const columns = [
  helper.ordered(ORDER_COLUMN, titles.at, (row) => <Instant at={row.at} />, { fixed: true }),
  helper.shown("who", titles.who, (row) => actorText(row.actor)),
  helper.shown("audience", titles.audience, (row) => words.audiences[row.audience]),
  helper.shown("subject", titles.subject, (row) => words.subjects[row.subject]),
  helper.shown("subjectId", titles.subjectId, (row) => row.subject_id),
  helper.shown(
    "action",
    titles.action,
    (row) => (
      <span className={styles.action}>
        <RowLink target={target(row)}>{actionText(row)}</RowLink>
      </span>
    ),
    {
      fixed: true,
    },
  ),
  helper.shown("address", titles.address, (row) => row.address),
  helper.shown("before", titles.before, (row) => <Values row={row} side="before" />),
  helper.shown("after", titles.after, (row) => <Values row={row} side="after" />),
];

function card(row: Row): Card {
  return {
    title: `${actorText(row.actor)} ${actionText(row)}`,
    value: "",
    note: words.subjects[row.subject],
    badge: (
      <span className={shared.dim}>
        <Instant at={row.at} />
      </span>
    ),
  };
}

const changeFact = ({ label, before, after }: Change): Fact => [
  label,
  before !== undefined && after !== undefined ? words.becomes(before, after) : (after ?? before),
];

function EntryModal({ row, onClose }: { row: Row; onClose: () => void }) {
  const changes = changesOf(row, useTimeZone());
  const facts: Fact[] = [
    [titles.at, <Instant key="at" at={row.at} />],
    [titles.who, actorText(row.actor)],
    [titles.audience, words.audiences[row.audience]],
    [titles.subject, words.subjects[row.subject]],
    [titles.subjectId, row.subject_id],
    [titles.action, actionText(row)],
    [titles.address, row.address],
  ];
  return (
    <DetailModal onClose={onClose} title={words.subjects[row.subject]} size="lg">
      <FactList facts={facts} label={words.facts} variant="ruled" />
      {changes.length > 0 && (
        <>
          <h3 className={shared.section}>{words.changes}</h3>
          <FactList facts={changes.map(changeFact)} label={words.changes} variant="boxed" />
        </>
      )}
    </DetailModal>
  );
}

export default function AuditLogPage() {
  const zone = useTimeZone();
  const list = useList("/admin/audit-log", {
    filters: FILTERS,
    query: ({ business, period, ...chosen }, order) => ({
      ...given({ ...chosen, business_id: business }),
      ...(period && { ...period, time_zone: zone }),
      order,
    }),
    file: words.file,
  });
  const [opened, setOpened] = useOpened("entry");
  const openRow = list.read.data?.data.find(({ id }) => id === opened);
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/registro")} hint={words.hint} />
      <DataTable
        name="auditLog"
        label={words.table}
        columns={columns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        list={list}
        icon={IconListSearch}
        words={words}
        rowId={({ id }) => id}
        rowTarget={target}
        card={card}
      />
      {openRow && <EntryModal row={openRow} onClose={() => setOpened(null)} />}
    </>
  );
}
