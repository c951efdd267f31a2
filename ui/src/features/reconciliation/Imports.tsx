// The list of imports, polled while one of its rows is unfinished, and the form to import a file.
import { IconFileImport } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useMayCall } from "../../api/access";
import { DataTable } from "../../components/table/DataTable";
import { useOpened } from "../../components/table/opened";
import { useList } from "../../components/table/useList";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { FILTERS } from "./filters";
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

/** The acquirer is the one filter that imports have. */
const SHOWN = ["provider"] as const;

interface ImportsProps {
  onDone: (message: string) => void;
}

export function Imports({ onDone }: ImportsProps) {
  const mayImport = useMayCall("POST /admin/settlements/imports");
  const list = useList("/admin/settlements/imports", {
    filters: FILTERS,
    shown: SHOWN,
    query: ({ provider }) => ({ ...(provider && { provider }) }),
  });
  const { read } = list;
  const [opened, setOpened] = useOpened("import");
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
        icon={IconFileImport}
        words={words}
        rowId={({ id }) => id}
        rowTarget={importTarget}
        card={importCard}
      />
      {opened && (
        <Suspense>
          <ImportModal id={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </div>
  );
}
