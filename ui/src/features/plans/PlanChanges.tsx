// The requested changes of plans, which a second person approves or rejects. The menu of a row opens the change.
import { IconEye, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import type { PlanChange } from "../../api/models";
import type { Flash } from "../../components/flash";
import { DataTable } from "../../components/table/DataTable";
import { given } from "../../components/table/filters";
import { RowActions } from "../../components/table/RowActions";
import { useList } from "../../components/table/useList";
import { plansStrings } from "../../strings/pt-BR.plans";
import { planChangeCard, planChangeColumns, REQUEST_COLUMN } from "./changeColumns";
import { CHANGE_FILTERS } from "./filters";
import { PlanChangeModal } from "./PlanChangeModal";

const words = plansStrings.changes;

export default function PlanChanges({ flash }: { flash: Flash }) {
  const list = useList("/admin/plans/changes", {
    filters: CHANGE_FILTERS,
    query: (chosen, order) => ({ ...given(chosen), order }),
    file: words.file,
  });
  const [shown, setShown] = useState<PlanChange>();
  return (
    <>
      <DataTable
        name="plan-changes"
        label={plansStrings.plans.changes}
        columns={planChangeColumns}
        orderColumn={REQUEST_COLUMN}
        list={list}
        icon={IconUsersGroup}
        words={words}
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
