// The list of imports, polled while one of its rows is unfinished, and the form to import a file.
import { IconFileImport } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense } from "react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useListState } from "../../components/table/listState";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { ProviderFilter } from "./CommonFilters";
import type { ReconciliationFilters } from "./filters";
import {
  IMPORT_HIDDEN_AT_FIRST,
  importCard,
  importColumns,
  importTarget,
  isUnfinished,
} from "./importColumns";
import styles from "./Reconciliation.module.css";
import { UploadForm } from "./UploadForm";
import { usePollWhile } from "./usePollWhile";

const ImportModal = lazy(() => import("./ImportModal"));

const words = settlementsStrings.imports;

interface ImportsProps {
  filters: ReconciliationFilters;
  onDone: (message: string) => void;
}

export function Imports({ filters, onDone }: ImportsProps) {
  const mayImport = useMayCall("POST /admin/settlements/imports");
  const list = useListState();
  const { page, perPage } = list;
  const { provider } = filters;
  const read = useApi("/admin/settlements/imports", {
    query: { ...(provider && { provider }), page, perPage },
  });
  const [opened, setOpened] = useQueryState("import", parseAsString.withOptions({ history: "push" }));
  const anyUnfinished = read.data?.data.some(isUnfinished) ?? false;
  usePollWhile(anyUnfinished, read.mutate);
  return (
    <div className={styles.sections}>
      {mayImport && <UploadForm onDone={onDone} />}
      <DataTable
        name="settlementImports"
        label={words.table}
        columns={importColumns}
        hiddenAtFirst={IMPORT_HIDDEN_AT_FIRST}
        list={list}
        read={read}
        filters={<ProviderFilter filters={filters} />}
        empty={
          <EmptyList
            filters={{ any: provider !== null, clear: filters.clear }}
            icon={IconFileImport}
            words={words}
          />
        }
        rowId={({ id }) => id}
        rowTarget={importTarget}
        card={importCard}
      />
      {opened && (
        <Suspense>
          <ImportModal id={opened} onClose={() => void setOpened(null)} />
        </Suspense>
      )}
    </div>
  );
}
