// One row of the exceptions queue: the reason, the original body, and the staff's actions.
import { useMayCall } from "../../api/access";
import type { ExceptionRow } from "../../api/models";
import { useTimeZone } from "../../api/session";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { RawText } from "../../components/RawText";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { ExceptionBadge } from "../../components/StatusBadge";
import { wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import type { ExceptionAction } from "./ExceptionActionModal";
import styles from "./Exceptions.module.css";
import { parameterLines, resolutionText, typeAndCode } from "./exceptionText";
import { reasonText } from "./reason";

const words = exceptionsStrings.exceptions;
const ACTIONS = ["close", "assign", "retry"] as const satisfies ExceptionAction[];

interface ExceptionModalProps {
  row: ExceptionRow;
  onAct: (action: ExceptionAction) => void;
  onClose: () => void;
}

export function ExceptionModal({ row, onAct, onClose }: ExceptionModalProps) {
  const may = useMayCall("POST /admin/exceptions/{id}/{action}");
  const parameters = parameterLines(row.reason_parameters, useTimeZone());
  const ended = row.status !== "waiting";
  const disabledReason = ended ? words.ended : may ? undefined : words.forAdmins;
  return (
    <DetailModal onClose={onClose} title={words.detail} size="lg" centered>
      <Facts row={row} />
      {parameters.length > 0 && (
        <>
          <h3 className={shared.section}>{words.parameters}</h3>
          <FactList facts={parameters} />
        </>
      )}
      <RawText title={words.body}>{readable(row.body)}</RawText>
      <div className={styles.actions}>
        {ACTIONS.map((action) => (
          <ReasonedButton
            key={action}
            variant={action === "retry" ? "filled" : "default"}
            disabledReason={disabledReason ?? unavailable(row, action)}
            onClick={() => onAct(action)}
          >
            {words[action]}
          </ReasonedButton>
        ))}
      </div>
    </DetailModal>
  );
}

/** JSON is indented; any other body is unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Facts({ row }: { row: ExceptionRow }) {
  const facts: Fact[] = [
    [words.columns.status, <ExceptionBadge key="status" status={row.status} />],
    [words.columns.reason, reasonText(row)],
    [words.columns.type, typeAndCode(row.type)],
    [words.columns.provider, providerName(row.provider)],
    [words.notice, row.notice_id],
    [words.columns.business, row.business_name],
    [words.sale, row.sale_id],
    [words.columns.receivedAt, <Instant key="received" at={row.received_at} weekday />],
    [words.columns.tries, wholeNumber(row.tries)],
    [words.lastTry, <Instant key="last" at={row.last_tried_at} />],
    [words.columns.nextTry, row.next_try_at && <Instant key="next" at={row.next_try_at} />],
    [words.resolution, resolutionText(row)],
  ];
  return <FactList facts={facts} />;
}

function unavailable(row: ExceptionRow, action: ExceptionAction): string | undefined {
  if (action === "assign" && !row.assignable) return words.notAssignable;
  if (action === "retry" && !row.retryable) return words.notRetryable;
  return undefined;
}
