// The credits, removals and releases above what one person may make alone. A second person decides on them.
import { IconEye, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import type { AdjustmentRequest } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ServerMessage } from "../../components/ServerMessage";
import { AdjustmentBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable } from "../../components/table/DataTable";
import { choice, given } from "../../components/table/filters";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { operationsStrings } from "../../strings/pt-BR.operations";
import { AdjustmentModal } from "./AdjustmentModal";
import styles from "./Operations.module.css";

const words = operationsStrings.adjustments;
const titles = words.columns;
const REQUEST_COLUMN = "requestedAt" as const;

const FILTERS = { status: choice(titles.status, words.all, words.states) };

const nameOf = (user: AdjustmentRequest["decided_by"]) => user?.name ?? strings.list.none;

const { shown, ordered } = columnsFor<AdjustmentRequest>();

const columns = [
  shown("business", titles.business, (row) => row.business_name, { fixed: true }),
  shown("kind", titles.kind, ({ kind }) => words.kinds[kind]),
  shown("amount", titles.amount, (row) => money(row.amount), { align: "end", fixed: true }),
  shown("reason", titles.reason, ({ reason }) => reason),
  shown("status", titles.status, ({ status }) => (
    <AdjustmentBadge status={status} text={words.states[status]} />
  )),
  shown("requestedBy", titles.requestedBy, ({ requested_by }) => nameOf(requested_by)),
  ordered(REQUEST_COLUMN, titles.requestedAt, (row) => <Instant at={row.requested_at} />),
  shown("decidedBy", titles.decidedBy, ({ decided_by }) => nameOf(decided_by)),
  shown("decidedAt", titles.decidedAt, ({ decided_at }) =>
    decided_at ? <Instant at={decided_at} /> : strings.list.none,
  ),
  shown(
    "outcome",
    titles.outcome,
    ({ refusal, decision_reason }) => refusal ?? decision_reason ?? strings.list.none,
  ),
];

const card = (request: AdjustmentRequest): Card => ({
  title: request.business_name,
  value: money(request.amount),
  note: `${words.kinds[request.kind]} · ${titles.requestedBy} ${nameOf(request.requested_by)}`,
  badge: <AdjustmentBadge status={request.status} text={words.states[request.status]} />,
});

export function Adjustments() {
  const list = useList("/admin/balance/adjustments", {
    filters: FILTERS,
    query: (chosen, order) => ({ ...given(chosen), order }),
    file: words.file,
  });
  const [opened, setOpened] = useState<AdjustmentRequest>();
  const [done, setDone] = useState<string>();
  const decided = ({ status: now, amount }: AdjustmentRequest) => {
    setOpened(undefined);
    if (now !== "pending" && now !== "expired") setDone(words.done[now](money(amount)));
  };
  return (
    <div className={styles.request}>
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <DataTable
        name="adjustments"
        label={words.table}
        columns={columns}
        orderColumn={REQUEST_COLUMN}
        list={list}
        icon={IconUsersGroup}
        words={words}
        rowId={({ id }) => id}
        card={card}
        rowActions={(request) => (
          <RowActions
            row={request.business_name}
            actions={[
              { label: words.open(request.business_name), icon: IconEye, run: () => setOpened(request) },
            ]}
          />
        )}
      />
      {opened && (
        <AdjustmentModal request={opened} onClose={() => setOpened(undefined)} onDecided={decided} />
      )}
    </div>
  );
}
