// The columns of the requested changes of plans, and the same row as a card.
import type { PlanChange } from "../../api/models";
import { Instant } from "../../components/Instant";
import { PlanChangeBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.changes;
const titles = words.columns;

export const REQUEST_COLUMN = "requestedAt" as const;

export function ChangeStatus({ change }: { change: PlanChange }) {
  return <PlanChangeBadge status={change.status} text={words.states[change.status]} />;
}

const nameOf = (user: PlanChange["decided_by"]) => user?.name ?? strings.list.none;

const column = columnsFor<PlanChange>();
export const planChangeColumns = [
  column.shown("plan", titles.plan, (row) => row.plan_description, { fixed: true }),
  column.shown("kind", titles.kind, (row) => words.kinds[row.kind]),
  column.shown("status", titles.status, (row) => <ChangeStatus change={row} />),
  column.shown("requestedBy", titles.requestedBy, (row) => nameOf(row.requested_by)),
  column.ordered(REQUEST_COLUMN, titles.requestedAt, (row) => <Instant at={row.requested_at} />),
  column.shown("decidedBy", titles.decidedBy, (row) => nameOf(row.decided_by)),
  column.shown("decidedAt", titles.decidedAt, (row) =>
    row.decided_at ? <Instant at={row.decided_at} /> : strings.list.none,
  ),
  column.shown("reason", titles.reason, (row) => row.reason ?? strings.list.none),
];

export const planChangeCard = (change: PlanChange): Card => ({
  title: change.plan_description,
  value: words.kinds[change.kind],
  note: `${titles.requestedBy} ${nameOf(change.requested_by)}`,
  badge: <ChangeStatus change={change} />,
});
