// Staff hold an amount of the available balance, or release a held amount, with a reason.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { BalanceTotals } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { ReasonField } from "../../components/forms/ReasonField";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import styles from "./Balance.module.css";

const words = balanceStrings.hold;

export type HoldKind = "hold" | "release";

interface HoldModalProps {
  kind: HoldKind;
  businessId: string;
  totals: BalanceTotals | undefined;
  onClose: () => void;
  onDone: (message: string) => void;
}

interface Values {
  amount: number | undefined;
  reason: string;
}

const EMPTY: Values = { amount: undefined, reason: "" };

const schema = z.object({
  amount: z.number(words.amountRequired).check(z.minimum(1, words.amountRequired)),
  reason: z.string().check(z.trim(), z.minLength(1, words.reasonRequired)),
});

const REFRESHES = ["/admin/balance/history", "/admin/businesses/{id}/journal"] as const;

export default function HoldModal({ kind, businessId, totals, onClose, onDone }: HoldModalProps) {
  const hold = useCommand("POST /admin/balance/holds", { refreshes: REFRESHES });
  const release = useCommand("POST /admin/balance/releases", { refreshes: REFRESHES });
  const command = kind === "hold" ? hold : release;
  const keyFor = useIdempotencyKey();
  const submit = async ({ amount = 0, reason }: Values) => {
    const body = { business_id: businessId, amount, reason: reason.trim() };
    const header = { "Idempotency-Key": keyFor(body) };
    const balance = await command.run({ body, header }).catch(() => undefined);
    if (balance) onDone((kind === "hold" ? words.held : words.released)(money(amount)));
  };
  const shown = (cents: number | undefined) => (cents === undefined ? strings.list.none : money(cents));
  return (
    <FormModal
      title={kind === "hold" ? words.holdTitle : words.releaseTitle}
      schema={schema}
      initialValues={EMPTY}
      loading={command.running}
      error={command.failure}
      onErrorClose={command.reset}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={styles.hint}>{kind === "hold" ? words.holdHint : words.releaseHint}</p>
          <FactList
            variant="boxed"
            total
            facts={[
              [words.available, shown(totals?.available)],
              [words.blocked, shown(totals?.blocked)],
            ]}
          />
          <MoneyInput label={words.amount} data-autofocus required {...form.getInputProps("amount")} />
          <ReasonField label={words.reason} required maxLength={500} {...form.getInputProps("reason")} />
        </>
      )}
    </FormModal>
  );
}
