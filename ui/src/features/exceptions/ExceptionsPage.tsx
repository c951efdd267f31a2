// The exceptions queue, with the staff's actions on its rows.
import { IconMoodCheck } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../api/hooks";
import type { ExceptionRow } from "../../api/models";
import { FilterSelect } from "../../components/FilterSelect";
import { PageHeader } from "../../components/PageHeader";
import { RefreshSelect } from "../../components/RefreshSelect";
import { type MessageVariant, ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useListState } from "../../components/table/listState";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import { statusStrings } from "../../strings/pt-BR.status";
import { exceptionCard, exceptionColumns, exceptionTarget, HIDDEN_AT_FIRST, ORDER_COLUMN } from "./columns";
import type { ExceptionAction } from "./ExceptionActionModal";
import { ExceptionModal } from "./ExceptionModal";
import { resolvedText } from "./exceptionText";
import { choices, type ExceptionFilters, useExceptionFilters } from "./filters";

const ExceptionActionModal = lazy(() => import("./ExceptionActionModal"));

const words = exceptionsStrings.exceptions;

interface Outcome {
  text: string;
  variant: MessageVariant;
}

function outcome(row: ExceptionRow): Outcome {
  const { status } = row;
  if (status === "resolved") return { text: resolvedText(row), variant: "success" };
  if (status === "closed") return { text: words.closed, variant: "success" };
  return { text: words.stillWaiting, variant: "info" };
}

export default function ExceptionsPage() {
  const filters = useExceptionFilters();
  const list = useListState();
  const { page, perPage, order } = list;
  const read = useApi("/admin/exceptions", { query: { ...filters.query, page, perPage, order } });
  const [opened, setOpened] = useQueryState("exception", parseAsString.withOptions({ history: "push" }));
  const [acting, setActing] = useState<{ row: ExceptionRow; action: ExceptionAction }>();
  const [message, setMessage] = useState<Outcome>();
  const row = read.data?.data.find(({ id }) => id === opened);
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={<RefreshSelect name="exceptions" reads={[read]} onRefresh={() => void read.mutate()} />}
      />
      <ServerMessage
        message={message?.text}
        variant={message?.variant ?? "info"}
        onClose={() => setMessage(undefined)}
      />
      <DataTable
        name="exceptions"
        label={words.table}
        columns={exceptionColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        list={list}
        read={read}
        filters={<Filters filters={filters} />}
        empty={<EmptyList filters={filters} icon={IconMoodCheck} words={words} />}
        rowId={({ id }) => id}
        rowTarget={exceptionTarget}
        card={exceptionCard}
      />
      {row && !acting && (
        <ExceptionModal
          row={row}
          onAct={(action) => setActing({ row, action })}
          onClose={() => void setOpened(null)}
        />
      )}
      {acting && (
        <Suspense>
          <ExceptionActionModal
            {...acting}
            onClose={() => setActing(undefined)}
            onDone={(after) => {
              setActing(undefined);
              void setOpened(null);
              setMessage(outcome(after));
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function Filters({ filters }: { filters: ExceptionFilters }) {
  return (
    <>
      <FilterSelect
        label={words.status}
        placeholder={statusStrings.exceptionStatus.waiting}
        options={choices.status}
        value={filters.status === "waiting" ? null : filters.status}
        onChange={filters.changeStatus}
      />
      <FilterSelect
        label={words.provider}
        placeholder={words.all}
        options={choices.provider}
        value={filters.provider}
        onChange={filters.changeProvider}
      />
    </>
  );
}
