// The sales plans, the receiving plans, and the requested changes, which a second person approves or rejects, in three
// tabs.
import { Button, Skeleton, Tabs } from "@mantine/core";
import { IconHistory, IconPencil, IconPlus, IconReceiptTax } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { screenTitle } from "../../api/access";
import type { PlanDetail, PlanSummary, ReceivingPlan } from "../../api/models";
import { FilterSelect } from "../../components/FilterSelect";
import { type Flash, useFlash } from "../../components/flash";
import { useModals } from "../../components/modals/modals";
import { PageHeader } from "../../components/PageHeader";
import { SearchField } from "../../components/SearchField";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { BUSINESS_ZONE, businessDate, dateIn } from "../../format/dates";
import { plansStrings } from "../../strings/pt-BR.plans";
import { ORDER_COLUMN, planCard, planColumns, receivingPlanCard, receivingPlanColumns } from "./columns";
import {
  activeChoices,
  type PlanFilters,
  solutionChoices,
  type Tab,
  usePlanFilters,
  usePlanTab,
} from "./filters";
import styles from "./Plans.module.css";
import { PlanVersionsModal } from "./PlanVersionsModal";
import { ReceivingPlanHistoryModal } from "./ReceivingPlanHistoryModal";

const PlanChanges = lazy(() => import("./PlanChanges"));

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
  const filters = usePlanFilters();
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const [versionsOf, setVersionsOf] = useState<PlanSummary>();
  const solution = filters.solution ? { solution: Number(filters.solution) } : {};
  const query = { ...filters.query, ...solution, sort: ORDER_COLUMN, order: list.order };
  return (
    <>
      <DataTable
        name="plans"
        label={words.sales}
        columns={planColumns}
        orderColumn={ORDER_COLUMN}
        orderWords={ORDER_WORDS}
        list={list}
        {...useList("/admin/plans", { query }, list, words.fileSales)}
        filters={<Filters filters={filters} solutions />}
        empty={<EmptyList filters={filters} icon={IconReceiptTax} words={words} />}
        rowId={({ id }) => id}
        card={planCard}
        rowActions={(plan) => (
          <RowActions
            row={plan.description}
            actions={[
              {
                label: words.edit,
                icon: IconPencil,
                run: () =>
                  modals.open(
                    "PLAN_VIEW",
                    { planId: plan.id },
                    { onConfirm: (saved) => flash.show(savedText(saved)) },
                  ),
              },
              { label: words.versions, icon: IconHistory, run: () => setVersionsOf(plan) },
            ]}
          />
        )}
      />
      {versionsOf && <PlanVersionsModal plan={versionsOf} onClose={() => setVersionsOf(undefined)} />}
    </>
  );
}

function ReceivingPlans({ flash }: { flash: Flash }) {
  const filters = usePlanFilters();
  const list = useListState({ order: "asc" });
  const modals = useModals();
  const [historyOf, setHistoryOf] = useState<ReceivingPlan>();
  const query = { ...filters.query, sort: ORDER_COLUMN, order: list.order };
  return (
    <>
      <DataTable
        name="receiving-plans"
        label={words.receiving}
        columns={receivingPlanColumns}
        orderColumn={ORDER_COLUMN}
        orderWords={ORDER_WORDS}
        list={list}
        {...useList("/admin/plans/receiving", { query }, list, words.fileReceiving)}
        filters={<Filters filters={filters} />}
        empty={<EmptyList filters={filters} icon={IconReceiptTax} words={words} />}
        rowId={({ id }) => id}
        card={receivingPlanCard}
        rowActions={(plan) => (
          <RowActions
            row={plan.description}
            actions={[
              {
                label: words.edit,
                icon: IconPencil,
                run: () =>
                  modals.open(
                    "PLAN_RECEIVING_VIEW",
                    { plan },
                    { onConfirm: (saved) => flash.show(savedText(saved)) },
                  ),
              },
              { label: words.versions, icon: IconHistory, run: () => setHistoryOf(plan) },
            ]}
          />
        )}
      />
      {historyOf && <ReceivingPlanHistoryModal plan={historyOf} onClose={() => setHistoryOf(undefined)} />}
    </>
  );
}

function Filters({ filters, solutions = false }: { filters: PlanFilters; solutions?: boolean }) {
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={words.searchHint}
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      {solutions && (
        <FilterSelect
          label={words.solution}
          placeholder={words.allSolutions}
          options={solutionChoices}
          value={filters.solution}
          onChange={(solution) => filters.change({ solution })}
        />
      )}
      <FilterSelect
        label={words.status}
        placeholder={words.all}
        options={activeChoices}
        value={filters.active}
        onChange={(active) => filters.change({ active })}
      />
    </>
  );
}
