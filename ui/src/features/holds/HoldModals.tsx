// What staff do with a hold: change what is said, release, record a judicial deposit, and answer a document.
import { TextInput } from "@mantine/core";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { type HoldDetail, type HoldDocument, isAdjustmentRequest } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { PasswordField } from "../../components/forms/PasswordField";
import { ReasonField } from "../../components/forms/ReasonField";
import { schemaOf } from "../../components/forms/schemaOf";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { HOLD_READS } from "./holdCalls";
import {
  type PaymentValues,
  paymentSchema,
  REASON_CHARS_MAX,
  type ReleaseValues,
  releaseSchema,
  type SaidValues,
  saidOf,
  saidSchema,
} from "./holdForm";
import { SaidFields } from "./SaidFields";

const { staff: words, change: changeWords, release: releaseWords, payCourt: payWords } = holdsStrings;
const RECEIPT_CHARS_MAX = 60;
const READS = { refreshes: HOLD_READS };

export interface HoldModalProps {
  hold: HoldDetail;
  onClose: () => void;
  onDone: (message: string) => void;
}

const pathOf = ({ business_id, id }: HoldDetail) => ({ business_id, hold_id: id });

export function ChangeHoldModal({ hold, onClose, onDone }: HoldModalProps) {
  const change = useCommand("POST /admin/balance/holds/{business_id}/{hold_id}/change", READS);
  const keyFor = useIdempotencyKey();
  const initial: SaidValues = {
    reason: hold.reason ?? "",
    until: hold.until ?? "",
    documents: hold.documents.join("\n"),
  };
  const submit = async (values: SaidValues) => {
    const body = saidOf(values);
    const header = { "Idempotency-Key": keyFor({ id: hold.id, ...body }) };
    if (await succeeds(change.run({ path: pathOf(hold), body, header }))) onDone(changeWords.done);
  };
  return (
    <FormModal
      title={changeWords.title}
      schema={saidSchema}
      initialValues={initial}
      command={change}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => <SaidFields form={form} />}
    </FormModal>
  );
}

export function ReleaseHoldModal({ hold, onClose, onDone }: HoldModalProps) {
  const release = useCommand("POST /admin/balance/holds/{business_id}/{hold_id}/release", READS);
  const keyFor = useIdempotencyKey();
  const isEmptyOrder = hold.amount === 0;
  const submit = async ({ amount = 0, reason }: ReleaseValues) => {
    const body = { amount, reason: reason.trim() };
    const header = { "Idempotency-Key": keyFor({ id: hold.id, ...body }) };
    const answer = await release.run({ path: pathOf(hold), body, header }).catch(() => undefined);
    if (!answer) return;
    onDone((isAdjustmentRequest(answer) ? balanceStrings.requested : releaseWords.done)(money(amount)));
  };
  return (
    <FormModal
      title={releaseWords.title}
      schema={releaseSchema(isEmptyOrder)}
      initialValues={{ amount: isEmptyOrder ? 0 : hold.amount, reason: "" } as ReleaseValues}
      command={release}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={shared.hint}>
            {hold.kind === "judicial" ? releaseWords.judicialHint : releaseWords.hint}
          </p>
          <FactList variant="boxed" total facts={[[holdsStrings.amount, money(hold.amount)]]} />
          {!isEmptyOrder && (
            <MoneyInput
              label={holdsStrings.place.amount}
              data-autofocus
              required
              {...form.getInputProps("amount")}
            />
          )}
          <ReasonField
            label={releaseWords.reason}
            required
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </FormModal>
  );
}

export function PayCourtModal({ hold, onClose, onDone }: HoldModalProps) {
  const pay = useCommand("POST /admin/balance/holds/{business_id}/{hold_id}/court-payment", READS);
  const keyFor = useIdempotencyKey();
  const submit = async ({ amount = 0, receipt, password }: PaymentValues) => {
    const said = { amount, receipt: receipt.trim() };
    const header = { "Idempotency-Key": keyFor({ id: hold.id, ...said }) };
    const done = await succeeds(pay.run({ path: pathOf(hold), body: { ...said, password }, header }));
    if (done) onDone(balanceStrings.requested(money(amount)));
  };
  return (
    <FormModal
      title={payWords.title}
      schema={paymentSchema}
      initialValues={{ amount: hold.amount, receipt: "", password: "" } as PaymentValues}
      command={pay}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{payWords.hint}</p>
          <FactList
            variant="boxed"
            total
            facts={[
              [holdsStrings.caseNumber, hold.case_number ?? undefined],
              [holdsStrings.court, hold.court ?? undefined],
              [holdsStrings.amount, money(hold.amount)],
            ]}
          />
          <MoneyInput
            label={holdsStrings.place.amount}
            data-autofocus
            required
            {...form.getInputProps("amount")}
          />
          <TextInput
            label={payWords.receipt}
            required
            maxLength={RECEIPT_CHARS_MAX}
            {...form.getInputProps("receipt")}
          />
          <PasswordField
            label={payWords.password}
            required
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
        </>
      )}
    </FormModal>
  );
}

export interface AnsweredFile {
  file: HoldDocument;
  accepted: boolean;
}

interface AnswerModalProps extends AnsweredFile {
  onClose: () => void;
  onDone: (message: string) => void;
}

export function AnswerModal({ file, accepted, onClose, onDone }: AnswerModalProps) {
  const answer = useCommand("POST /admin/balance/hold-documents/{document_id}/answer", READS);
  const submit = async ({ note }: { note: string }) => {
    const given = note.trim();
    const body = { accepted, ...(given && { note: given }) };
    if (await succeeds(answer.run({ path: { document_id: file.id }, body })))
      onDone((accepted ? words.accepted : words.refused)(file.file_name));
  };
  return (
    <FormModal
      title={accepted ? words.acceptTitle : words.refuseTitle}
      schema={schemaOf<{ note: string }>(
        ({ note }): Record<string, string> => (accepted || note.trim() ? {} : { note: words.noteRequired }),
      )}
      initialValues={{ note: "" }}
      command={answer}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={accepted ? words.accept : words.refuse}
      danger={!accepted}
    >
      {(form) => (
        <>
          <FactList
            variant="boxed"
            facts={[
              [holdsStrings.queue.columns.asked, file.asked],
              [holdsStrings.queue.columns.fileName, file.file_name],
            ]}
          />
          <ReasonField
            label={accepted ? words.noteAccept : words.noteRefuse}
            required={!accepted}
            data-autofocus
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("note")}
          />
        </>
      )}
    </FormModal>
  );
}
