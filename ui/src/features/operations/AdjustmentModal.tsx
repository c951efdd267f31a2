// One requested adjustment. The requester can withdraw it; another person approves or rejects it.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useCommand } from "../../api/hooks";
import type { AdjustmentRequest } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { AdjustmentBadge } from "../../components/StatusBadge";
import { ByAndAt, TwoPersonAnswer } from "../../components/TwoPersonAnswer";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { operationsStrings } from "../../strings/pt-BR.operations";
import styles from "./Operations.module.css";

const words = operationsStrings.adjustments;
const titles = words.columns;
const REASON_CHARS_MAX = 500;

const REFRESHES = [
  "/admin/balance/adjustments",
  "/admin/balance/history",
  "/admin/balance/holds",
  "/admin/balance/holds/{business_id}/{hold_id}",
  "/admin/balance/transfers",
  "/admin/businesses/{id}/journal",
  "/admin/overview",
] as const;

interface AdjustmentModalProps {
  request: AdjustmentRequest;
  onClose: () => void;
  onDecided: (decided: AdjustmentRequest) => void;
}

export function AdjustmentModal({ request, onClose, onDecided }: AdjustmentModalProps) {
  const pending = request.status === "pending";
  return (
    <DetailModal
      onClose={onClose}
      title={words.title(words.kinds[request.kind], request.business_name)}
      size="36rem"
    >
      <div className={styles.request}>
        <FactList
          variant="boxed"
          facts={[
            [titles.amount, money(request.amount)],
            [titles.reason, request.reason],
            [words.caseNumber, request.hold?.case_number ?? undefined],
            [words.court, request.hold?.court ?? undefined],
            [words.receipt, request.hold?.receipt ?? undefined],
            [words.hold, request.hold && <HoldLink key="hold" request={request} />],
            [words.negative, request.allow_negative ? words.yes : undefined],
            [
              titles.status,
              <AdjustmentBadge key="status" status={request.status} text={words.states[request.status]} />,
            ],
            [
              titles.requestedBy,
              <ByAndAt key="by" name={request.requested_by.name} at={request.requested_at} />,
            ],
            [words.expires, pending ? <Instant key="expires" at={request.expires_at} /> : undefined],
            [
              titles.decidedBy,
              request.decided_by && request.decided_at ? (
                <ByAndAt key="decided" name={request.decided_by.name} at={request.decided_at} />
              ) : undefined,
            ],
            [titles.outcome, request.refusal ?? request.decision_reason ?? undefined],
          ]}
        />
        {request.kind === "plan" && <p className={shared.note}>{words.planHint}</p>}
        {pending && <Decision request={request} onDecided={onDecided} />}
      </div>
    </DetailModal>
  );
}

/** A hold that is placed exists once the request is recorded. */
function HoldLink({ request: { hold, kind, status, business_id } }: { request: AdjustmentRequest }) {
  if (!hold || (kind === "court_order" && status !== "recorded")) return strings.list.none;
  return (
    <Anchor component={Link} to={`/saques/retencoes/${hold.id}?business=${business_id}`} inherit>
      {words.openHold}
    </Anchor>
  );
}

function Decision({ request, onDecided }: Omit<AdjustmentModalProps, "onClose">) {
  const commands = {
    approve: useCommand("POST /admin/balance/adjustments/{id}/approve", { refreshes: REFRESHES }),
    reject: useCommand("POST /admin/balance/adjustments/{id}/reject", { refreshes: REFRESHES }),
    withdraw: useCommand("POST /admin/balance/adjustments/{id}/withdraw", { refreshes: REFRESHES }),
  };
  const path = { id: request.id };
  return (
    <TwoPersonAnswer
      requester={request.requested_by}
      commands={commands}
      send={(answer, body) =>
        answer === "withdraw" ? commands.withdraw.run({ path }) : commands[answer].run({ path, body })
      }
      onDone={onDecided}
      own={<p className={shared.note}>{words.own}</p>}
      effect={<p className={shared.note}>{words.effect}</p>}
      reasonCharsMax={REASON_CHARS_MAX}
      words={words}
    />
  );
}
