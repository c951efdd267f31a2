// The columns of the requested changes of plans, and the same row as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { PlanChange } from "../../api/models";
import { Instant } from "../../components/Instant";
import { PlanChangeBadge } from "../../components/StatusBadge";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.changes;
const titles = words.columns;

export const REQUEST_COLUMN = "requestedAt" as const;

export function ChangeStatus({ change }: { change: PlanChange }) {
  return <PlanChangeBadge status={change.status} text={words.states[change.status]} />;
}

const nameOf = (user: PlanChange["decided_by"]) => user?.name ?? strings.list.none;

const column = createColumnHelper<Features, PlanChange>();
export const planChangeColumns = [
  column.display({
    id: "plan",
    header: titles.plan,
    enableHiding: false,
    enableSorting: false,
    cell: ({ row }) => row.original.plan_description,
  }),
  column.display({
    id: "kind",
    header: titles.kind,
    enableSorting: false,
    cell: ({ row }) => words.kinds[row.original.kind],
  }),
  column.display({
    id: "status",
    header: titles.status,
    enableSorting: false,
    cell: ({ row }) => <ChangeStatus change={row.original} />,
  }),
  column.display({
    id: "requestedBy",
    header: titles.requestedBy,
    enableSorting: false,
    cell: ({ row }) => nameOf(row.original.requested_by),
  }),
  ...column.columns([
    column.accessor((change) => change.requested_at, {
      id: REQUEST_COLUMN,
      header: titles.requestedAt,
      cell: ({ row }) => <Instant at={row.original.requested_at} />,
    }),
  ]),
  column.display({
    id: "decidedBy",
    header: titles.decidedBy,
    enableSorting: false,
    cell: ({ row }) => nameOf(row.original.decided_by),
  }),
  column.display({
    id: "decidedAt",
    header: titles.decidedAt,
    enableSorting: false,
    cell: ({ row }) =>
      row.original.decided_at ? <Instant at={row.original.decided_at} /> : strings.list.none,
  }),
  column.display({
    id: "reason",
    header: titles.reason,
    enableSorting: false,
    cell: ({ row }) => row.original.reason ?? strings.list.none,
  }),
];

export const planChangeCard = (change: PlanChange): Card => ({
  title: change.plan_description,
  value: words.kinds[change.kind],
  note: `${titles.requestedBy} ${nameOf(change.requested_by)}`,
  badge: <ChangeStatus change={change} />,
});
