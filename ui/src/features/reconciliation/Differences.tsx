// The differences with their filters. A row opens over the list.
import { IconFileImport, IconMoodCheck } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../api/hooks";
import type { SettlementDifference } from "../../api/models";
import { FilterSelect } from "../../components/FilterSelect";
import { SearchField } from "../../components/SearchField";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { CommonFilters } from "./CommonFilters";
import {
  differenceCard,
  differenceColumns,
  differenceTarget,
  HIDDEN_AT_FIRST,
  ORDER_COLUMN,
} from "./differenceColumns";
import { choices, type ReconciliationFilters } from "./filters";

const DifferenceModal = lazy(() => import("./DifferenceModal"));

const words = settlementsStrings.differences;

interface DifferencesProps {
  filters: ReconciliationFilters;
  onDone: (message: string) => void;
}

export function Differences({ filters, onDone }: DifferencesProps) {
  const list = useListState();
  const query = { ...filters.differenceQuery, order: list.order };
  const { read, download } = useList("/admin/settlements/differences", { query }, list, words.file);
  const [opened, setOpened] = useQueryState("difference", parseAsString.withOptions({ history: "push" }));
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
        read={read}
        filters={<Filters filters={filters} />}
        empty={<NoDifferences filters={filters} />}
        rowId={({ id }) => id}
        rowTarget={differenceTarget}
        card={differenceCard}
        download={download}
      />
      {row && (
        <Suspense>
          <DifferenceModal
            key={row.id}
            row={row}
            onClose={() => void setOpened(null)}
            onDone={(message) => {
              void setOpened(null);
              onDone(message);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The text of an empty list. Before the first report, the text of a list without filters asks for an import. */
function NoDifferences({ filters }: { filters: ReconciliationFilters }) {
  const { data } = useApi("/admin/settlements/days", { query: { page: 1, perPage: 1 } });
  if (!data) return null;
  const isReported = data.meta.total > 0;
  return (
    <EmptyList
      filters={{ any: filters.anyDifferenceFilter, clear: filters.clear }}
      icon={isReported ? IconMoodCheck : IconFileImport}
      words={isReported ? words : { ...words, ...words.nothingReported }}
    />
  );
}

function Filters({ filters }: { filters: ReconciliationFilters }) {
  return (
    <>
      <SearchField
        label={words.search}
        placeholder={words.searchHint}
        isWide
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      <FilterSelect
        label={words.kind}
        placeholder={words.allKinds}
        options={choices.kind}
        value={filters.kind}
        onChange={(kind) => filters.change({ kind })}
      />
      <FilterSelect
        label={words.state}
        placeholder={choices.state.open}
        options={choices.state}
        value={filters.state === "open" ? null : filters.state}
        onChange={(state) => filters.change({ state })}
      />
      <CommonFilters filters={filters} />
    </>
  );
}
