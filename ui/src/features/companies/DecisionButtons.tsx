// Staff decide on a company: approve, deny or delete it. Each button asks first and states the decision's effects. A
// denial and a deletion need a reason, and so does an approval without the documents that the rules ask for.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useMayCall } from "../../api/access";
import { useCommand } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import confirm from "../../components/forms/ConfirmModal.module.css";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { companiesStrings } from "../../strings/pt-BR.companies";
import {
  approvalObstacle,
  type Decision,
  decisionSchema,
  documentNames,
  needsReason,
  REASON_CHARS_MAX,
} from "./decision";
import { COMPANY_READS } from "./reads";

const words = companiesStrings.company;

interface DecisionButtonsProps {
  company: BusinessDetail;
  onDone: (message: string) => void;
}

export function DecisionButtons({ company, onDone }: DecisionButtonsProps) {
  const [asked, setAsked] = useState<Decision>();
  return (
    <>
      {company.approval !== "enabled" && <Button onClick={() => setAsked("enabled")}>{words.approve}</Button>}
      {company.approval !== "denied" && (
        <Button variant="default" onClick={() => setAsked("denied")}>
          {words.deny}
        </Button>
      )}
      {company.approval !== "deleted" && (
        <Button variant="default" onClick={() => setAsked("deleted")}>
          {words.remove}
        </Button>
      )}
      {asked && (
        <DecisionModal
          company={company}
          decision={asked}
          onDone={(message) => {
            setAsked(undefined);
            onDone(message);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface DecisionModalProps extends DecisionButtonsProps {
  decision: Decision;
  onClose: () => void;
}

function DecisionModal({ company, decision, onDone, onClose }: DecisionModalProps) {
  // The same roles confirm approvals and approve without documents.
  const mayWaive = useMayCall("POST /admin/businesses/{id}/decisions/{decision_id}/approve");
  const obstacle = decision === "enabled" ? approvalObstacle(company, mayWaive) : undefined;
  const decide = useCommand("PATCH /admin/businesses/{id}", COMPANY_READS);
  const texts = words.decide[decision];
  const missing = decision === "enabled" ? company.missing_documents : [];
  const submit = async ({ reason }: { reason: string }) => {
    const given = needsReason(decision, company) ? { reason: reason.trim() } : {};
    const body = { version: company.version, approval: decision, ...given };
    const done = await decide.run({ path: { id: company.id }, body }).catch(() => undefined);
    if (!done) return;
    const waits = decision === "enabled" && done.approval !== "enabled";
    onDone(waits ? words.requested : texts.done);
  };
  return (
    <FormModal
      title={texts.title(company.name)}
      schema={decisionSchema(decision, company)}
      initialValues={{ reason: "" }}
      command={decide}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={texts.submit}
      submitDisabled={obstacle !== undefined}
      danger={decision !== "enabled"}
    >
      {(form) => (
        <>
          {(obstacle ? [] : texts.effects).map((effect) => (
            <p key={effect} className={confirm.effect}>
              {effect}
            </p>
          ))}
          {obstacle && <p className={confirm.effect}>{obstacle}</p>}
          {!obstacle && missing.length > 0 && (
            <p className={confirm.effect}>
              <strong>{words.approveMissing(documentNames(missing))}</strong>
            </p>
          )}
          {!obstacle && needsReason(decision, company) && (
            <ReasonField
              label={words.reason}
              description={decision === "enabled" ? words.reasonKept : words.reasonMailed}
              maxLength={REASON_CHARS_MAX}
              required
              {...form.getInputProps("reason")}
            />
          )}
        </>
      )}
    </FormModal>
  );
}
