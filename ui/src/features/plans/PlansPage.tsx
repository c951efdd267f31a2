// The sales plans, the receiving plans, and the requested changes, which a second person approves or rejects, in three
// tabs.
import { Button, Skeleton, Tabs } from "@mantine/core";
import { IconHistory, IconLock, IconPencil, IconPlus, IconReceiptTax } from "@tabler/icons-react";
import type { RowData } from "@tanstack/react-table";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { screenTitle } from "../../api/access";
import type { PlanDetail, PlanSummary, ReceivingPlan } from "../../api/models";
import { type Flash, useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { type Card, DataTable } from "../../components/table/DataTable";
import type { Columns } from "../../components/table/features";
import { given, numberOf } from "../../components/table/filters";
import { type RowAction, RowActions } from "../../components/table/RowActions";
import { type TableList, useList } from "../../components/table/useList";
import { BUSINESS_ZONE, businessDate, dateIn } from "../../format/dates";
import { plansStrings } from "../../strings/pt-BR.plans";
import { ORDER_COLUMN, planCard, planColumns, receivingPlanCard, receivingPlanColumns } from "./columns";
import { RECEIVING_FILTERS, SALES_FILTERS, type Tab, usePlanTab } from "./filters";
import styles from "./Plans.module.css";
import { PlanVersionsModal } from "./PlanVersionsModal";
import { ReceivingPlanHistoryModal } from "./ReceivingPlanHistoryModal";

const PlanChanges = lazy(() => import("./PlanChanges"));
const PlanReserveModal = lazy(() => import("../reserves/PlanReserveModal"));

const words = plansStrings.plans;

export default function PlansPage() {
  const { tab, change } = usePlanTab();
  const modals = useModals();
  const flash = useFlash();
  const receiving = tab === "recebimento";
  const open = () => {
    const onConfirm = (plan: SavedPlan) =>
      flash.show((plan.pending_change ? words.createdRequested : words.created)(plan.description));
    if (receiving) modals.open("PLAN_RECEIVING_VIEW", {}, { onConfirm });
    else modals.open("PLAN_VIEW", {}, { onConfirm });
  };
  return (
    <>
      <PageHeader
        title={screenTitle("/ajustes/planos")}
        hint={words.hint}
        actions={
          tab !== "mudancas" && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={open}>
              {receiving ? words.newReceiving : words.new}
            </Button>
          )
        }
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <Tabs
        value={tab}
        onChange={(next) => change(next as Tab)}
        keepMounted={false}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <Tabs.List aria-label={words.tabs}>
          <Tabs.Tab value="vendas">{words.sales}</Tabs.Tab>
          <Tabs.Tab value="recebimento">{words.receiving}</Tabs.Tab>
          <Tabs.Tab value="mudancas">{words.changes}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="vendas" pt="md">
          <SalesPlans flash={flash} />
        </Tabs.Panel>
        <Tabs.Panel value="recebimento" pt="md">
          <ReceivingPlans flash={flash} />
        </Tabs.Panel>
        <Tabs.Panel value="mudancas" pt="md">
          <Suspense fallback={<Skeleton height={360} radius={12} />}>
            <PlanChanges flash={flash} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const ORDER_WORDS = { asc: words.nameAscending, desc: words.nameDescending };

/** The result of a form. A new plan may wait for the approval of a second person. */
type SavedPlan = Pick<PlanDetail, "description" | "pending_change"> &
  Partial<Pick<PlanDetail, "scheduled_from">>;

function savedText({ description, scheduled_from }: SavedPlan): string {
  if (!scheduled_from) return words.saved(description);
  return words.scheduled(description, businessDate(dateIn(BUSINESS_ZONE, new Date(scheduled_from))));
}

function SalesPlans({ flash }: { flash: Flash }) {
  const list = useList("/admin/plans", {
    filters: SALES_FILTERS,
    query: ({ search, solution, active }, order) => ({
      ...given({ search, solution: numberOf(solution), active: numberOf(active) }),
      sort: ORDER_COLUMN,
      order,
    }),
    firstOrder: "asc",
    file: words.fileSales,
  });
  const modals = useModals();
  return (
    <Plans
      name="plans"
      label={words.sales}
      list={list}
      columns={planColumns}
      card={planCard}
      onEdit={({ id }) =>
        modals.open("PLAN_VIEW", { planId: id }, { onConfirm: (saved) => flash.show(savedText(saved)) })
      }
      versions={(plan: PlanSummary, onClose) => <PlanVersionsModal plan={plan} onClose={onClose} />}
    />
  );
}

function ReceivingPlans({ flash }: { flash: Flash }) {
  const list = useList("/admin/plans/receiving", {
    filters: RECEIVING_FILTERS,
    query: ({ search, active }, order) => ({
      ...given({ search, active: numberOf(active) }),
      sort: ORDER_COLUMN,
      order,
    }),
    firstOrder: "asc",
    file: words.fileReceiving,
  });
  const modals = useModals();
  const [reserveOf, setReserveOf] = useState<ReceivingPlan>();
  const close = () => setReserveOf(undefined);
  return (
    <>
      <Plans
        name="receiving-plans"
        label={words.receiving}
        list={list}
        columns={receivingPlanColumns}
        card={receivingPlanCard}
        onEdit={(plan) =>
          modals.open("PLAN_RECEIVING_VIEW", { plan }, { onConfirm: (saved) => flash.show(savedText(saved)) })
        }
        versions={(plan: ReceivingPlan, onClose) => (
          <ReceivingPlanHistoryModal plan={plan} onClose={onClose} />
        )}
        moreActions={(plan) => [{ label: words.reserve, icon: IconLock, run: () => setReserveOf(plan) }]}
      />
      {reserveOf && (
        <Suspense>
          <PlanReserveModal
            plan={reserveOf}
            onClose={close}
            onDone={(message) => {
              close();
              flash.show(message);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

interface PlansProps<Plan extends RowData> {
  name: string;
  label: string;
  list: TableList<Plan>;
  columns: Columns<Plan>;
  card: (plan: Plan) => Card;
  onEdit: (plan: Plan) => void;
  versions: (plan: Plan, onClose: () => void) => ReactNode;
  moreActions?: (plan: Plan) => readonly RowAction[];
}

function Plans<Plan extends RowData & { id: string; description: string }>({
  onEdit,
  versions,
  moreActions = () => [],
  ...table
}: PlansProps<Plan>) {
  const [versionsOf, setVersionsOf] = useState<Plan>();
  return (
    <>
      <DataTable
        {...table}
        orderColumn={ORDER_COLUMN}
        orderWords={ORDER_WORDS}
        icon={IconReceiptTax}
        words={words}
        rowId={({ id }) => id}
        rowActions={(plan) => (
          <RowActions
            row={plan.description}
            actions={[
              { label: words.edit, icon: IconPencil, run: () => onEdit(plan) },
              ...moreActions(plan),
              { label: words.versions, icon: IconHistory, run: () => setVersionsOf(plan) },
            ]}
          />
        )}
      />
      {versionsOf && versions(versionsOf, () => setVersionsOf(undefined))}
    </>
  );
}
