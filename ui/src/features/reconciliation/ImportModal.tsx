// One import: its figures, and the first lines that the gateway could not read.
import { Modal, Skeleton } from "@mantine/core";
import { useApi } from "../../api/hooks";
import type { SettlementImportDetail } from "../../api/models";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { useReturnFocus } from "../../components/forms/useReturnFocus";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { ImportBadge, isUnfinished, sourceText } from "./importColumns";
import styles from "./Reconciliation.module.css";
import { sizeText } from "./size";
import { usePollWhile } from "./usePollWhile";

const words = settlementsStrings.imports;
const titles = words.columns;
const REASONS: Readonly<Record<string, string>> = words.reasons;
const BAD_LINES_SHOWN = 100;

interface ImportModalProps {
  id: string;
  onClose: () => void;
}

export default function ImportModal({ id, onClose }: ImportModalProps) {
  useReturnFocus();
  const read = useApi(
    "/admin/settlements/imports/{id}",
    { path: { id }, query: { perPage: BAD_LINES_SHOWN } },
    { keepPrevious: false, mayNotExist: true },
  );
  const { data, error, mutate } = read;
  usePollWhile(data ? isUnfinished(data) : false, mutate);
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title}
      size="lg"
      closeButtonProps={{ "aria-label": strings.buttons.close }}
    >
      {data ? (
        <Detail row={data} />
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Modal>
  );
}

function Detail({ row }: { row: SettlementImportDetail }) {
  const facts: Fact[] = [
    [titles.source, sourceText(row)],
    [titles.provider, providerName(row.provider)],
    [titles.state, <ImportBadge key="state" row={row} />],
    [words.file, row.bytes > 0 ? sizeText(row.bytes) : undefined],
    [words.read, row.bytes > 0 ? words.readOf(sizeText(row.bytes_read), sizeText(row.bytes)) : undefined],
    [titles.lines, wholeNumber(row.lines_read)],
    [titles.records, wholeNumber(row.records_read)],
    [titles.changed, wholeNumber(row.records_changed)],
    [titles.by, row.imported_by ?? words.automatic],
    [titles.createdAt, <Instant key="at" at={row.created_at} />],
    [words.sha256, row.sha256],
  ];
  return (
    <>
      {row.failure && <p role="alert">{words.failures[row.failure]}</p>}
      <FactList facts={facts} />
      <h3>{words.badLines}</h3>
      {row.bad.length === 0 ? (
        <p className={styles.hint}>{words.noBadLines}</p>
      ) : (
        <ul className={styles.bad} aria-label={words.badLines}>
          {/* An acquirer's answer to a query has items, a file has lines. */}
          {row.bad.map(({ line, reason, parameters }) => (
            <li key={line}>
              <strong>
                {(row.source === "receivables" ? words.badItem : words.badLine)(wholeNumber(line))}
              </strong>
              <span>{REASONS[reason] ?? reason}</span>
              <Excerpt parameters={parameters as Record<string, unknown>} />
            </li>
          ))}
        </ul>
      )}
      {row.bad_lines > row.bad.length && (
        <p className={styles.dim}>
          {words.moreBadLines(wholeNumber(row.bad.length), wholeNumber(row.bad_lines))}
        </p>
      )}
    </>
  );
}

/** The text or the code that the gateway could not read, if it reports one. */
function Excerpt({ parameters }: { parameters: Record<string, unknown> }) {
  const text = parameters.text ?? parameters.code;
  return text === undefined ? null : <code className={styles.dim}>{String(text)}</code>;
}
