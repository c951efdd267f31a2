// One import: its figures, what was mended, and the first lines that gave no payment.
import { Skeleton } from "@mantine/core";
import { useApi } from "../../api/hooks";
import type { ImportWarning, SettlementImportDetail } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { ImportBadge, isUnfinished, sourceText } from "./importColumns";
import styles from "./Reconciliation.module.css";
import { sizeText } from "./size";
import { usePollWhile } from "./usePollWhile";

const words = settlementsStrings.imports;
const titles = words.columns;
const REASONS: Readonly<Record<string, string>> = words.reasons;
const WARNINGS: Readonly<Record<string, string>> = words.warningReasons;
const FIELDS: Readonly<Record<string, string>> = words.fields;
const BAD_LINES_SHOWN = 100;

interface ImportModalProps {
  id: string;
  onClose: () => void;
}

export default function ImportModal({ id, onClose }: ImportModalProps) {
  const read = useApi(
    "/admin/settlements/imports/{id}",
    { path: { id }, query: { perPage: BAD_LINES_SHOWN } },
    { keepPrevious: false, mayNotExist: true },
  );
  const { data, error, mutate } = read;
  usePollWhile(data ? isUnfinished(data) : false, mutate);
  return (
    <DetailModal onClose={onClose} title={words.title} size="lg">
      {data ? (
        <Detail row={data} />
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={240} />
      )}
    </DetailModal>
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
      {row.warnings.length > 0 && (
        <>
          <h3>{words.warnings}</h3>
          <ul className={styles.bad} aria-label={words.warnings}>
            {row.warnings.map((warning) => (
              <Warning key={`${warning.reason} ${warning.line}`} warning={warning} />
            ))}
          </ul>
        </>
      )}
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

function Warning({ warning: { reason, line, count, parameters } }: { warning: ImportWarning }) {
  const { field, stated, found } = parameters as Record<string, unknown>;
  const detail =
    typeof field === "string"
      ? (FIELDS[field] ?? field)
      : typeof stated === "number" && typeof found === "number"
        ? words.counted(wholeNumber(stated), wholeNumber(found))
        : undefined;
  return (
    <li>
      <strong>{words.warningAt(wholeNumber(line), count)}</strong>
      <span>{WARNINGS[reason] ?? reason}</span>
      {detail && <span className={styles.dim}>{detail}</span>}
    </li>
  );
}

/** What the line is about: the text that the gateway could not read, or the money that waits for staff. */
function Excerpt({ parameters }: { parameters: Record<string, unknown> }) {
  const { text, code, bank, reference, amount } = parameters;
  if (typeof amount !== "number") {
    const shown = text ?? code;
    return shown === undefined ? null : <code className={styles.dim}>{String(shown)}</code>;
  }
  const { lineAbout } = words;
  const about = [
    money(amount),
    ...(bank ? [lineAbout.bank(String(bank))] : []),
    ...(code === undefined ? [] : [lineAbout.code(String(code))]),
    ...(reference ? [lineAbout.reference(String(reference))] : []),
  ];
  return <span className={styles.dim}>{about.join(" · ")}</span>;
}
