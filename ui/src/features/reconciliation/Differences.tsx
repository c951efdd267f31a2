// The differences with their filters. A row opens over the list.
import { IconFileImport, IconMoodCheck } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../api/hooks";
import type { SettlementDifference } from "../../api/models";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList, type EmptyListProps } from "../../components/table/EmptyList";
import { given } from "../../components/table/filters";
import { useOpened } from "../../components/table/opened";
import { useList } from "../../components/table/useList";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import {
  differenceCard,
  differenceColumns,
  differenceTarget,
  HIDDEN_AT_FIRST,
  ORDER_COLUMN,
} from "./differenceColumns";
import { commonQuery, FILTERS } from "./filters";

const DifferenceModal = lazy(() => import("./DifferenceModal"));

const words = settlementsStrings.differences;

interface DifferencesProps {
  onDone: (message: string) => void;
}

export function Differences({ onDone }: DifferencesProps) {
  const list = useList("/admin/settlements/differences", {
    filters: FILTERS,
    query: ({ search, kind, state, ...common }, order) => ({
      ...commonQuery(common),
      ...given({ search, kind, state }),
      order,
    }),
    file: words.file,
  });
  const { read } = list;
  const [opened, setOpened] = useOpened("difference");
  // The last version that the list had: a difference that another user resolved leaves the list of open ones, and the
  // modal must still say why its decision was refused.
  const [seen, setSeen] = useState<SettlementDifference>();
  const listed = read.data?.data.find(({ id }) => id === opened);
  if (listed && listed !== seen) setSeen(listed);
  const row = listed ?? (seen?.id === opened ? seen : undefined);
  return (
    <>
      <DataTable
        name="settlementDifferences"
        label={words.table}
        columns={differenceColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        list={list}
        icon={IconMoodCheck}
        words={words}
        empty={<NoDifferences filters={list.filters} />}
        rowId={({ id }) => id}
        rowTarget={differenceTarget}
        card={differenceCard}
      />
      {row && (
        <Suspense>
          <DifferenceModal
            key={row.id}
            row={row}
            onClose={() => setOpened(null)}
            onDone={(message) => {
              setOpened(null);
              onDone(message);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The text of an empty list. Before the first report, the text of a list without filters asks for an import. */
function NoDifferences({ filters }: Pick<EmptyListProps, "filters">) {
  const { data } = useApi("/admin/settlements/days", { query: { page: 1, perPage: 1 } });
  if (!data) return null;
  const isReported = data.meta.total > 0;
  return (
    <EmptyList
      filters={filters}
      icon={isReported ? IconMoodCheck : IconFileImport}
      words={isReported ? words : { ...words, ...words.nothingReported }}
    />
  );
}
