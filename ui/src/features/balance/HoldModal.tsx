// Staff hold an amount of the available balance, or release a held amount, with a reason.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { type BalanceTotals, isAdjustmentRequest } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { ReasonField } from "../../components/forms/ReasonField";
import type { FormValues } from "../../components/forms/schemaOf";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";

const words = balanceStrings.hold;

export type HoldKind = "hold" | "release";

interface HoldModalProps {
  kind: HoldKind;
  businessId: string;
  totals: BalanceTotals | undefined;
  onClose: () => void;
  onDone: (message: string) => void;
}

const schema = z.object({
  amount: z.number(words.amountRequired).check(z.minimum(1, words.amountRequired)),
  reason: z.string().check(z.trim(), z.minLength(1, words.reasonRequired)),
});
type Values = FormValues<typeof schema>;

const EMPTY: Values = { amount: undefined, reason: "" };

const REFRESHES = [
  "/admin/balance/adjustments",
  "/admin/balance/history",
  "/admin/businesses/{id}/journal",
  "/admin/overview",
] as const;

export default function HoldModal({ kind, businessId, totals, onClose, onDone }: HoldModalProps) {
  const hold = useCommand("POST /admin/balance/holds", { refreshes: REFRESHES });
  const release = useCommand("POST /admin/balance/releases", { refreshes: REFRESHES });
  const command = kind === "hold" ? hold : release;
  const keyFor = useIdempotencyKey();
  const submit = async ({ amount = 0, reason }: Values) => {
    const body = { business_id: businessId, amount, reason: reason.trim() };
    const header = { "Idempotency-Key": keyFor(body) };
    const answer = await command.run({ body, header }).catch(() => undefined);
    if (!answer) return;
    const done = kind === "hold" ? words.held : words.released;
    onDone((isAdjustmentRequest(answer) ? balanceStrings.requested : done)(money(amount)));
  };
  const shown = (cents: number | undefined) => (cents === undefined ? strings.list.none : money(cents));
  return (
    <FormModal
      title={kind === "hold" ? words.holdTitle : words.releaseTitle}
      schema={schema}
      initialValues={EMPTY}
      command={command}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{kind === "hold" ? words.holdHint : words.releaseHint}</p>
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
