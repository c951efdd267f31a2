// The requested changes of plans, which a second person approves or rejects. The menu of a row opens the change.
import { IconEye, IconUsersGroup } from "@tabler/icons-react";
import { parseAsStringLiteral } from "nuqs";
import { useState } from "react";
import type { PlanChange } from "../../api/models";
import { FilterSelect } from "../../components/FilterSelect";
import type { Flash } from "../../components/flash";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useListFilters } from "../../components/table/listFilters";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { plansStrings } from "../../strings/pt-BR.plans";
import { planChangeCard, planChangeColumns, REQUEST_COLUMN } from "./changeColumns";
import { PlanChangeModal } from "./PlanChangeModal";

const words = plansStrings.changes;

const parsers = {
  status: parseAsStringLiteral(["pending", "approved", "rejected", "withdrawn"] as const),
};

export default function PlanChanges({ flash }: { flash: Flash }) {
  const filters = useListFilters(parsers);
  const { status } = filters.chosen;
  const list = useListState();
  const [shown, setShown] = useState<PlanChange>();
  const query = { ...(status && { status }), order: list.order };
  return (
    <>
      <DataTable
        name="plan-changes"
        label={plansStrings.plans.changes}
        columns={planChangeColumns}
        orderColumn={REQUEST_COLUMN}
        list={list}
        {...useList("/admin/plans/changes", { query }, list, words.file)}
        filters={
          <FilterSelect
            label={plansStrings.plans.status}
            placeholder={plansStrings.plans.all}
            options={words.states}
            value={status}
            onChange={(next) => filters.change({ status: next })}
          />
        }
        empty={<EmptyList filters={filters} icon={IconUsersGroup} words={words} />}
        rowId={({ id }) => id}
        card={planChangeCard}
        rowActions={(change) => (
          <RowActions
            row={change.plan_description}
            actions={[
              {
                label: words.open(change.plan_description),
                icon: IconEye,
                run: () => setShown(change),
              },
            ]}
          />
        )}
      />
      {shown && (
        <PlanChangeModal
          change={shown}
          onClose={() => setShown(undefined)}
          onDecided={(decided) => {
            setShown(undefined);
            if (decided.status !== "pending")
              flash.show(words.done[decided.status](decided.plan_description));
          }}
        />
      )}
    </>
  );
}
