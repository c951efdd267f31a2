// The columns of both lists of plans, and the same row as a card. The name of a plan opens its form.
import type { PlanSummary, ReceivingPlan } from "../../api/models";
import { Instant } from "../../components/Instant";
import { useModals } from "../../components/modals/modals";
import { ActiveBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
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

const sales = columnsFor<PlanSummary>();
export const planColumns = [
  sales.ordered(ORDER_COLUMN, titles.description, (row) => <PlanName plan={row} />, { fixed: true }),
  sales.shown("solution", titles.solution, (row) => solutionName(row.solution_id)),
  sales.shown("type", titles.type, (row) => feeType(row.mdr)),
  sales.shown("days", titles.days, (row) => row.settlement_days ?? strings.list.none, { align: "end" }),
  sales.shown("active", titles.active, (row) => <ActiveBadge active={row.active} />),
  sales.shown("default", titles.default, (row) => yesOrNo(row.default)),
  sales.shown("validFrom", titles.validFrom, (row) => <When at={row.valid_from} />),
  sales.shown("scheduled", titles.scheduled, (row) => <When at={row.scheduled_from} />),
];

const receiving = columnsFor<ReceivingPlan>();
export const receivingPlanColumns = [
  receiving.ordered(ORDER_COLUMN, titles.description, (row) => <ReceivingPlanName plan={row} />, {
    fixed: true,
  }),
  receiving.shown("flatRate", titles.flatRate, (row) => money(row.flat_rate), { align: "end" }),
  receiving.shown("active", titles.active, (row) => <ActiveBadge active={row.active} />),
  receiving.shown("default", titles.default, (row) => yesOrNo(row.default)),
  receiving.shown("createdAt", titles.createdAt, (row) => <Instant at={row.created_at} />),
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
