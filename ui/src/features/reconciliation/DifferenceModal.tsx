// One difference: its figures, and the decision of staff.
import { Link } from "react-router";
import * as z from "zod/mini";
import { useMayCall, useOpenable } from "../../api/access";
import { useCommand } from "../../api/hooks";
import type { SettlementDifference } from "../../api/models";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { Instant } from "../../components/Instant";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import styles from "./Reconciliation.module.css";

const words = settlementsStrings.differences;
const titles = words.columns;
const REASON_CHARS_MAX = 500;

const schemas = {
  resolve: z.object({
    reason: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, words.reasonRequired),
        z.maxLength(REASON_CHARS_MAX, words.reasonTooLong),
      ),
  }),
  reopen: z.object({ reason: z.string() }),
};

interface DifferenceModalProps {
  row: SettlementDifference;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function DifferenceModal({ row, onClose, onDone }: DifferenceModalProps) {
  const decide = useCommand("POST /admin/settlements/differences/{id}/{action}", {
    refreshes: ["/admin/settlements/differences", "/admin/settlements/days"],
  });
  const mayDecide = useMayCall("POST /admin/settlements/differences/{id}/{action}");
  const action = row.state === "resolved" ? "reopen" : "resolve";
  const submit = async ({ reason }: { reason: string }) => {
    const body = { ...(action === "resolve" && { reason: reason.trim() }), version: row.version };
    const answer = await decide.run({ path: { id: row.id, action }, body }).catch(() => undefined);
    if (answer) onDone(action === "resolve" ? words.resolved : words.reopened);
  };
  return (
    <FormModal
      title={words.title(words.kinds[row.kind])}
      schema={schemas[action]}
      initialValues={{ reason: "" }}
      command={decide}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words[action]}
      // A difference is gone if a later comparison did not find it again. It needs no decision.
      submitDisabled={!mayDecide || row.state === "gone"}
    >
      {(form) => (
        <>
          <p className={styles.hint}>{words.explanations[row.kind]}</p>
          <Facts row={row} />
          {!mayDecide && <p className={styles.dim}>{words.forAdmins}</p>}
          {mayDecide && action === "resolve" && row.state !== "gone" && (
            <>
              <ReasonField
                label={words.reason}
                required
                maxLength={REASON_CHARS_MAX}
                {...form.getInputProps("reason")}
              />
              <p className={styles.dim}>{words.resolveHint}</p>
            </>
          )}
          {mayDecide && action === "reopen" && <p className={styles.dim}>{words.reopenHint}</p>}
        </>
      )}
    </FormModal>
  );
}

function Facts({ row }: { row: SettlementDifference }) {
  const mayOpen = useOpenable();
  const sale =
    row.sale_id && mayOpen("/vendas/:id") ? (
      <Link className={styles.link} to={`/vendas/${row.sale_id}`}>
        {row.sale_id}
      </Link>
    ) : (
      row.sale_id
    );
  const facts: Fact[] = [
    [titles.day, businessDate(row.day)],
    [titles.provider, providerName(row.provider)],
    [titles.business, row.business_name],
    [titles.sale, sale],
    [titles.installment, wholeNumber(row.installment)],
    [titles.reference, row.reference],
    [titles.expected, row.expected === null ? undefined : money(row.expected)],
    [titles.reported, row.reported === null ? undefined : money(row.reported)],
    [titles.expectedOn, row.expected_on && businessDate(row.expected_on)],
    [titles.reportedOn, row.reported_on && businessDate(row.reported_on)],
    [titles.file, row.file_name],
    [titles.line, row.line === null ? undefined : wholeNumber(row.line)],
    [titles.reason, row.reason],
    [titles.resolvedBy, row.resolved_by],
    [titles.resolvedAt, row.resolved_at && <Instant key="at" at={row.resolved_at} />],
  ];
  return <FactList facts={facts} />;
}
