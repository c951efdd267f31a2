// Staff hold an amount of a company: for an analysis, by a contract, or by a court's order, which a second person
// approves.
import { Select, TextInput } from "@mantine/core";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { type BalanceTotals, isAdjustmentRequest } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { HOLD_READS } from "./holdCalls";
import { NEW_HOLD, type PlaceValues, placeBody, placeSchema } from "./holdForm";
import { SaidFields } from "./SaidFields";

const words = holdsStrings.place;
const CASE_CHARS_MAX = 60;
const COURT_CHARS_MAX = 120;

interface PlaceHoldModalProps {
  businessId: string;
  totals: BalanceTotals | undefined;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function PlaceHoldModal({ businessId, totals, onClose, onDone }: PlaceHoldModalProps) {
  const place = useCommand("POST /admin/balance/holds", { refreshes: HOLD_READS });
  const keyFor = useIdempotencyKey();
  const submit = async (values: PlaceValues) => {
    const body = placeBody(businessId, values);
    const header = { "Idempotency-Key": keyFor(body) };
    const answer = await place.run({ body, header }).catch(() => undefined);
    if (!answer) return;
    onDone((isAdjustmentRequest(answer) ? balanceStrings.requested : words.done)(money(body.amount)));
  };
  const shown = (cents: number | undefined) => (cents === undefined ? strings.list.none : money(cents));
  return (
    <FormModal
      title={words.title}
      schema={placeSchema}
      initialValues={NEW_HOLD}
      command={place}
      onSubmit={submit}
      onClose={onClose}
    >
      {(form) => {
        const { kind } = form.getValues();
        return (
          <>
            <Select
              label={words.kind}
              data={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              {...form.getInputProps("kind")}
            />
            <p className={shared.hint}>{words.hints[kind]}</p>
            <FactList
              variant="boxed"
              total
              facts={[
                [words.available, shown(totals?.available)],
                [words.blocked, shown(totals?.blocked)],
              ]}
            />
            <MoneyInput
              label={kind === "judicial" ? words.amountOrdered : words.amount}
              data-autofocus
              required
              {...form.getInputProps("amount")}
            />
            {kind === "judicial" && (
              <>
                <TextInput
                  label={words.caseNumber}
                  required
                  maxLength={CASE_CHARS_MAX}
                  {...form.getInputProps("case_number")}
                />
                <TextInput
                  label={words.court}
                  required
                  maxLength={COURT_CHARS_MAX}
                  {...form.getInputProps("court")}
                />
              </>
            )}
            <SaidFields form={form} />
          </>
        );
      }}
    </FormModal>
  );
}
