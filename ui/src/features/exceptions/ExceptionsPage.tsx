// The exceptions queue, with the staff's actions on its rows.
import { IconMoodCheck } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { ExceptionRow } from "../../api/models";
import { PageHeader } from "../../components/PageHeader";
import { RefreshSelect } from "../../components/RefreshSelect";
import { type MessageVariant, ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { choice, choiceFrom, given } from "../../components/table/filters";
import { useOpened } from "../../components/table/opened";
import { useList } from "../../components/table/useList";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { statusStrings } from "../../strings/pt-BR.status";
import { exceptionCard, exceptionColumns, exceptionTarget, HIDDEN_AT_FIRST, ORDER_COLUMN } from "./columns";
import type { ExceptionAction } from "./ExceptionActionModal";
import { ExceptionModal } from "./ExceptionModal";
import { resolvedText } from "./exceptionText";

const ExceptionActionModal = lazy(() => import("./ExceptionActionModal"));

const words = exceptionsStrings.exceptions;

const FILTERS = {
  status: choiceFrom(words.status, "waiting", { ...statusStrings.exceptionStatus, all: words.all }),
  provider: choice(words.provider, words.all, paymentStrings.payment.providers),
};

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
  const list = useList("/admin/exceptions", {
    filters: FILTERS,
    query: (chosen, order) => ({ ...given(chosen), order }),
  });
  const { read } = list;
  const [opened, setOpened] = useOpened("exception");
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
        icon={IconMoodCheck}
        words={words}
        rowId={({ id }) => id}
        rowTarget={exceptionTarget}
        card={exceptionCard}
      />
      {row && !acting && (
        <ExceptionModal
          row={row}
          onAct={(action) => setActing({ row, action })}
          onClose={() => setOpened(null)}
        />
      )}
      {acting && (
        <Suspense>
          <ExceptionActionModal
            {...acting}
            onClose={() => setActing(undefined)}
            onDone={(after) => {
              setActing(undefined);
              setOpened(null);
              setMessage(outcome(after));
            }}
          />
        </Suspense>
      )}
    </>
  );
}
