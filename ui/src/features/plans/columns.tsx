// The columns of both lists of plans, and the same row as a card. The name of a plan opens its form.
import { createColumnHelper } from "@tanstack/react-table";
import type { PlanSummary, ReceivingPlan } from "../../api/models";
import { Instant } from "../../components/Instant";
import { useModals } from "../../components/modals/modals";
import { ActiveBadge } from "../../components/StatusBadge";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";

const words = plansStrings.plans;
const titles = words.columns;

export const ORDER_COLUMN = "description" as const;

function PlanName({ plan }: { plan: PlanSummary }) {
  const modals = useModals();
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={words.open(plan.description)}
      onClick={() => modals.open("PLAN_VIEW", { planId: plan.id })}
    >
      {plan.description}
    </button>
  );
}

function ReceivingPlanName({ plan }: { plan: ReceivingPlan }) {
  const modals = useModals();
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={words.open(plan.description)}
      onClick={() => modals.open("PLAN_RECEIVING_VIEW", { plan })}
    >
      {plan.description}
    </button>
  );
}

const feeType = (mdr: boolean | null | undefined) =>
  typeof mdr === "boolean" ? strings.feeTypes[`${mdr}`] : strings.list.none;

const yesOrNo = (yes: boolean) => (yes ? words.yes : words.no);

const sales = createColumnHelper<Features, PlanSummary>();
export const planColumns = [
  ...sales.columns([
    sales.accessor((plan) => plan.description, {
      id: ORDER_COLUMN,
      header: titles.description,
      enableHiding: false,
      cell: ({ row }) => <PlanName plan={row.original} />,
    }),
  ]),
  sales.display({
    id: "solution",
    header: titles.solution,
    enableSorting: false,
    cell: ({ row }) => solutionName(row.original.solution_id),
  }),
  sales.display({
    id: "type",
    header: titles.type,
    enableSorting: false,
    cell: ({ row }) => feeType(row.original.mdr),
  }),
  sales.display({
    id: "days",
    header: titles.days,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => row.original.settlement_days ?? strings.list.none,
  }),
  sales.display({
    id: "active",
    header: titles.active,
    enableSorting: false,
    cell: ({ row }) => <ActiveBadge active={row.original.active} />,
  }),
  sales.display({
    id: "default",
    header: titles.default,
    enableSorting: false,
    cell: ({ row }) => yesOrNo(row.original.default),
  }),
  sales.display({
    id: "validFrom",
    header: titles.validFrom,
    enableSorting: false,
    cell: ({ row }) => <When at={row.original.valid_from} />,
  }),
  sales.display({
    id: "scheduled",
    header: titles.scheduled,
    enableSorting: false,
    cell: ({ row }) => <When at={row.original.scheduled_from} />,
  }),
];

const receiving = createColumnHelper<Features, ReceivingPlan>();
export const receivingPlanColumns = [
  ...receiving.columns([
    receiving.accessor((plan) => plan.description, {
      id: ORDER_COLUMN,
      header: titles.description,
      enableHiding: false,
      cell: ({ row }) => <ReceivingPlanName plan={row.original} />,
    }),
  ]),
  receiving.display({
    id: "flatRate",
    header: titles.flatRate,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.flat_rate),
  }),
  receiving.display({
    id: "active",
    header: titles.active,
    enableSorting: false,
    cell: ({ row }) => <ActiveBadge active={row.original.active} />,
  }),
  receiving.display({
    id: "default",
    header: titles.default,
    enableSorting: false,
    cell: ({ row }) => yesOrNo(row.original.default),
  }),
  receiving.display({
    id: "createdAt",
    header: titles.createdAt,
    enableSorting: false,
    cell: ({ row }) => <Instant at={row.original.created_at} />,
  }),
];

function When({ at }: { at: string | null | undefined }) {
  return at ? <Instant at={at} /> : strings.list.none;
}

const withDefault = (note: string, isDefault: boolean) => (isDefault ? `${note} · ${words.isDefault}` : note);

export const planCard = (plan: PlanSummary): Card => ({
  title: <PlanName plan={plan} />,
  value: "",
  note: withDefault(`${solutionName(plan.solution_id)} · ${feeType(plan.mdr)}`, plan.default),
  badge: <ActiveBadge active={plan.active} />,
});

export const receivingPlanCard = (plan: ReceivingPlan): Card => ({
  title: <ReceivingPlanName plan={plan} />,
  value: money(plan.flat_rate),
  note: withDefault(titles.flatRate, plan.default),
  badge: <ActiveBadge active={plan.active} />,
});
