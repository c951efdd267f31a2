// Held money of all companies for staff, and the queue of the documents that sellers sent.
import { IconFileText, IconLock } from "@tabler/icons-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { screenTitle } from "../../api/access";
import { businessNow } from "../../api/serverClock";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { DataTable } from "../../components/table/DataTable";
import { choice, company, given, search } from "../../components/table/filters";
import { useList } from "../../components/table/useList";
import { businessToday } from "../../format/dates";
import { holdsStrings } from "../../strings/pt-BR.holds";
import {
  DOCUMENTS_HIDDEN_AT_FIRST,
  documentCard,
  documentColumns,
  documentTarget,
  HOLDS_HIDDEN_AT_FIRST,
  holdCard,
  holdColumns,
  holdTarget,
} from "./staffColumns";

const words = holdsStrings.staff;
const queueWords = holdsStrings.queue;
const titles = holdsStrings.columns;
const queueTitles = queueWords.columns;

export default function StaffHoldsPage() {
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(["holds", "documents"] as const).withDefault("holds"),
  );
  return (
    <>
      <PageHeader title={screenTitle("/saques/retencoes")} hint={words.hint} />
      <PageTabs
        label={words.tabs}
        open={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          ["holds", words.holds, <Holds key="holds" />],
          ["documents", words.queue, <Queue key="documents" />],
        ]}
      />
    </>
  );
}

const FILTERS = {
  business: company(titles.business, words.anyCompany),
  kind: choice(titles.kind, words.allKinds, holdsStrings.kinds),
  state: choice(titles.state, words.allStates, holdsStrings.states),
  case: search(holdsStrings.caseNumber, words.casePlaceholder),
  due: choice(words.due, words.anyDue, { today: words.dueToday }),
};

function Holds() {
  const list = useList("/admin/balance/holds", {
    filters: FILTERS,
    firstOrder: "asc",
    query: ({ business, kind, state, due, case: caseNumber }, order) => ({
      ...given({ business_id: business, kind, state, case_number: caseNumber }),
      ...(due && { due_by: businessToday(businessNow()) }),
      order,
    }),
    file: words.file,
  });
  return (
    <DataTable
      name="staffHolds"
      label={words.table}
      columns={holdColumns}
      hiddenAtFirst={HOLDS_HIDDEN_AT_FIRST}
      orderColumn="placedAt"
      list={list}
      icon={IconLock}
      words={words}
      rowId={({ business_id, id }) => `${business_id} ${id}`}
      rowTarget={holdTarget}
      card={holdCard}
    />
  );
}

const QUEUE_FILTERS = {
  business: company(queueTitles.business, words.anyCompany),
  answer: choice(queueTitles.state, queueWords.all, holdsStrings.documentStates),
};

function Queue() {
  const list = useList("/admin/balance/hold-documents", {
    filters: QUEUE_FILTERS,
    firstOrder: "asc",
    query: ({ business, answer }, order) => ({
      ...given({ business_id: business, state: answer }),
      order,
    }),
    file: queueWords.file,
  });
  return (
    <DataTable
      name="holdDocuments"
      label={queueWords.table}
      columns={documentColumns}
      hiddenAtFirst={DOCUMENTS_HIDDEN_AT_FIRST}
      orderColumn="sentAt"
      list={list}
      icon={IconFileText}
      words={queueWords}
      rowId={({ id }) => id}
      rowTarget={documentTarget}
      card={documentCard}
    />
  );
}
