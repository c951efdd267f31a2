// Staff ask to write off a part of what a company owes. Another person approves it.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { PasswordField } from "../../components/forms/PasswordField";
import { ReasonField } from "../../components/forms/ReasonField";
import type { FormValues } from "../../components/forms/schemaOf";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { debtsStrings } from "../../strings/pt-BR.debts";

const words = debtsStrings.writeOff;

interface WriteOffModalProps {
  businessId: string;
  debt: number;
  onClose: () => void;
  onDone: (message: string) => void;
}

const schema = z.object({
  amount: z.number(words.amountRequired).check(z.minimum(1, words.amountRequired)),
  reason: z.string().check(z.trim(), z.minLength(1, words.reasonRequired)),
  password: z.string().check(z.minLength(1, words.passwordRequired)),
});
type Values = FormValues<typeof schema>;

const EMPTY: Values = { amount: undefined, reason: "", password: "" };

export default function WriteOffModal({ businessId, debt, onClose, onDone }: WriteOffModalProps) {
  const command = useCommand("POST /admin/balance/debts/{business_id}/write-off", {
    refreshes: ["/admin/balance/adjustments", "/admin/overview"],
  });
  const keyFor = useIdempotencyKey();
  const submit = async ({ amount = 0, reason, password }: Values) => {
    const body = { amount, reason: reason.trim(), password };
    const header = { "Idempotency-Key": keyFor(body) };
    const path = { business_id: businessId };
    const answer = await command.run({ body, path, header }).catch(() => undefined);
    if (answer) onDone(balanceStrings.requested(money(amount)));
  };
  return (
    <FormModal
      title={words.title}
      schema={schema}
      initialValues={EMPTY}
      command={command}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{words.hint}</p>
          <FactList variant="boxed" facts={[[words.debt, money(debt)]]} />
          <MoneyInput label={words.amount} data-autofocus required {...form.getInputProps("amount")} />
          <ReasonField label={words.reason} required maxLength={500} {...form.getInputProps("reason")} />
          <PasswordField
            label={words.password}
            required
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
        </>
      )}
    </FormModal>
  );
}
