// Asks before an exception is retried, assigned to a company, or closed.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import type { ExceptionRow } from "../../api/models";
import { BusinessSelect } from "../../components/BusinessSelect";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import shared from "../../components/Shared.module.css";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import { retryHint } from "./exceptionText";

const words = exceptionsStrings.exceptions;
const REASON_CHARS_MAX = 500;

export type ExceptionAction = "retry" | "assign" | "close";

interface ExceptionActionModalProps {
  row: ExceptionRow;
  action: ExceptionAction;
  onClose: () => void;
  onDone: (row: ExceptionRow) => void;
}

const anything = z.string();
const schemas = {
  retry: z.object({ business_id: anything, reason: anything }),
  assign: z.object({
    business_id: z.string().check(z.minLength(1, words.businessRequired)),
    reason: anything,
  }),
  close: z.object({
    business_id: anything,
    reason: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, words.reasonRequired),
        z.maxLength(REASON_CHARS_MAX, words.reasonTooLong),
      ),
  }),
};
type Values = z.infer<(typeof schemas)["retry"]>;

function hintOf(action: ExceptionAction, { type }: ExceptionRow): string {
  if (action === "retry") return retryHint(type);
  return action === "assign" ? words.assignHint : words.closeHint;
}

export default function ExceptionActionModal({ row, action, onClose, onDone }: ExceptionActionModalProps) {
  const act = useCommand("POST /admin/exceptions/{id}/{action}", {
    refreshes: ["/admin/exceptions", "/admin/overview"],
  });
  const submit = async ({ business_id, reason }: Values) => {
    const body = { retry: {}, assign: { business_id }, close: { reason: reason.trim() } }[action];
    const answer = await act.run({ path: { id: row.id, action }, body }).catch(() => undefined);
    if (answer) onDone(answer);
  };
  return (
    <FormModal
      title={words[action]}
      schema={schemas[action]}
      initialValues={{ business_id: "", reason: "" }}
      command={act}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={action === "retry" ? undefined : words[action]}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{hintOf(action, row)}</p>
          {action === "assign" && (
            <BusinessSelect
              label={words.business}
              placeholder={words.businessPlaceholder}
              required
              data-autofocus
              {...form.getInputProps("business_id")}
              value={form.getValues().business_id || null}
              onChange={(id) => form.setFieldValue("business_id", id ?? "")}
            />
          )}
          {action === "close" && (
            <ReasonField
              label={words.reason}
              required
              data-autofocus
              maxLength={REASON_CHARS_MAX}
              {...form.getInputProps("reason")}
            />
          )}
        </>
      )}
    </FormModal>
  );
}
