// The decision in force on a company, and the approval that waits for a second person, who answers it here.
import { useMayCall } from "../../api/access";
import { useCommand } from "../../api/hooks";
import type { BusinessDecision, BusinessDetail } from "../../api/models";
import { useSession } from "../../api/session";
import { FactList } from "../../components/FactList";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { ByAndAt, TwoPersonAnswer } from "../../components/TwoPersonAnswer";
import { approvalText } from "../../format/business";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import { documentNames, REASON_CHARS_MAX } from "./decision";
import { COMPANY_READS } from "./reads";

const words = companiesStrings.company;
const pending = words.pending;

export function LastDecision({ decision }: { decision: BusinessDecision }) {
  const { decided_by, decided_at, answered_by, answered_at, missing_documents } = decision;
  return (
    <Panel title={words.decision.title}>
      <FactList
        variant="ruled"
        facts={[
          [words.decision.approval, approvalText(decision.approval)],
          [
            words.decision.by,
            <ByAndAt
              key="by"
              name={decided_by ? decided_by.name : words.decision.installed}
              at={decided_at}
            />,
          ],
          [words.reason, decision.reason ?? undefined],
          [pending.missing, documentNames(missing_documents) || undefined],
          [
            words.decision.confirmedBy,
            answered_by && answered_at ? (
              <ByAndAt key="confirmed" name={answered_by.name} at={answered_at} />
            ) : undefined,
          ],
        ]}
      />
    </Panel>
  );
}

interface PendingApprovalProps {
  company: BusinessDetail;
  request: BusinessDecision;
  onDone: (message: string) => void;
}

export function PendingApproval({ company, request, onDone }: PendingApprovalProps) {
  const { user } = useSession();
  const mayAnswer = useMayCall("POST /admin/businesses/{id}/decisions/{decision_id}/approve");
  const isOwn = user?.id === request.decided_by?.id;
  return (
    <Panel title={pending.title}>
      <div className={styles.answer}>
        <FactList
          variant="ruled"
          facts={[
            [
              pending.requestedBy,
              <ByAndAt key="by" name={request.decided_by?.name ?? null} at={request.decided_at} />,
            ],
            [words.reason, request.reason ?? undefined],
            [pending.missing, documentNames(request.missing_documents) || undefined],
          ]}
        />
        {isOwn || mayAnswer ? (
          <Decision company={company} request={request} onDone={onDone} />
        ) : (
          <p className={shared.hint}>{pending.other}</p>
        )}
      </div>
    </Panel>
  );
}

function Decision({ company, request, onDone }: PendingApprovalProps) {
  const commands = {
    approve: useCommand("POST /admin/businesses/{id}/decisions/{decision_id}/approve", COMPANY_READS),
    reject: useCommand("POST /admin/businesses/{id}/decisions/{decision_id}/reject", COMPANY_READS),
    withdraw: useCommand("POST /admin/businesses/{id}/decisions/{decision_id}/withdraw", COMPANY_READS),
  };
  const path = { id: company.id, decision_id: request.id };
  return (
    <TwoPersonAnswer
      requester={request.decided_by}
      commands={commands}
      send={(answer, body) =>
        answer === "withdraw" ? commands.withdraw.run({ path }) : commands[answer].run({ path, body })
      }
      onDone={(_, answer) => onDone(pending.done[answer])}
      own={<p className={shared.hint}>{pending.own}</p>}
      reasonCharsMax={REASON_CHARS_MAX}
      words={pending}
    />
  );
}
