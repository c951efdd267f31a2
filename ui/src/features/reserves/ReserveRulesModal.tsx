// Staff set the rules of the reserve of a company or of a receiving plan. The impact is shown before they are saved.
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ReserveImpact, ReserveRules } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { ReasonField } from "../../components/forms/ReasonField";
import type { Form } from "../../components/forms/useValidatedForm";
import shared from "../../components/Shared.module.css";
import { businessDate, businessToday } from "../../format/dates";
import { typedRate } from "../../format/rate";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import { ImpactOfRules } from "./ImpactOfRules";
import styles from "./Reserves.module.css";
import { RULES_READS } from "./reserveCalls";
import { REASON_CHARS_MAX, type RulesValues, rulesBody, rulesSchema } from "./reserveForm";

const words = reservesStrings.form;
/** The gateway asks for a term also of rules that hold nothing. */
const DAYS_OF_EXEMPTION = 1;

export interface RulesOwner {
  kind: "company" | "plan";
  id: string;
  name: string;
}

interface ReserveRulesModalProps {
  owner: RulesOwner;
  /** The rules in force, with which the form begins. */
  before: ReserveRules | undefined;
  /** Whether the company becomes exempt: the share is zero. */
  exempts: boolean;
  onClose: () => void;
  onDone: (message: string) => void;
}

function useRulesCommands({ kind }: RulesOwner) {
  const ofCompany = {
    impact: useCommand("POST /admin/businesses/{id}/reserve/impact", { refreshes: [] }),
    save: useCommand("POST /admin/businesses/{id}/reserve", { refreshes: RULES_READS }),
  };
  const ofPlan = {
    impact: useCommand("POST /admin/plans/receiving/{id}/reserve/impact", { refreshes: [] }),
    save: useCommand("POST /admin/plans/receiving/{id}/reserve", { refreshes: RULES_READS }),
  };
  return kind === "company" ? ofCompany : ofPlan;
}

function valuesOf(before: ReserveRules | undefined, exempts: boolean, today: string): RulesValues {
  const share = before && Number(before.percentage) !== 0 ? before : undefined;
  return {
    percentage: exempts ? "0" : typedRate(share?.percentage),
    days: String(share?.days ?? (exempts ? DAYS_OF_EXEMPTION : "")),
    maximum: exempts ? undefined : (share?.maximum ?? undefined),
    valid_from: today,
    ends_on: "",
    reason: "",
  };
}

export default function ReserveRulesModal({
  owner,
  before,
  exempts,
  onClose,
  onDone,
}: ReserveRulesModalProps) {
  const today = businessToday(businessNow());
  const { impact, save } = useRulesCommands(owner);
  const keyFor = useIdempotencyKey();
  const [shown, setShown] = useState<ReserveImpact>();
  const path = { id: owner.id };
  const submit = async (values: RulesValues) => {
    const body = rulesBody(values);
    if (!shown) {
      save.reset();
      const found = await impact.run({ path, body }).catch(() => undefined);
      return setShown(found);
    }
    const header = { "Idempotency-Key": keyFor(body) };
    const saved = await save.run({ path, body, header }).catch(() => undefined);
    if (!saved) return setShown(undefined);
    const said = exempts ? reservesStrings.staff.exempted : reservesStrings.staff.saved;
    onDone(said(businessDate(saved.valid_from)));
  };
  return (
    <FormModal
      title={exempts ? words.exemptTitle(owner.name) : words.title(owner.name)}
      schema={rulesSchema(today)}
      initialValues={valuesOf(before, exempts, today)}
      command={{
        running: impact.running || save.running,
        failure: save.failure ?? impact.failure,
        reset: () => {
          impact.reset();
          save.reset();
        },
      }}
      onSubmit={submit}
      onBack={shown && (() => setShown(undefined))}
      onClose={onClose}
      submitLabel={shown ? words.save : words.next}
      size="lg"
    >
      {(form) =>
        shown ? (
          <ImpactOfRules impact={shown} ofPlan={owner.kind === "plan"} />
        ) : (
          <>
            <p className={shared.hint}>{exempts ? words.exemptHint : words.hint}</p>
            {!exempts && <Share form={form} />}
            <Period form={form} today={today} />
            <ReasonField
              label={words.reason}
              description={words.reasonHint}
              required
              maxLength={REASON_CHARS_MAX}
              {...form.getInputProps("reason")}
            />
          </>
        )
      }
    </FormModal>
  );
}

function Share({ form }: { form: Form<RulesValues> }) {
  return (
    <div className={styles.pair}>
      <TextInput
        label={words.percentage}
        inputMode="decimal"
        required
        data-autofocus
        {...form.getInputProps("percentage")}
      />
      <TextInput label={words.days} inputMode="numeric" required {...form.getInputProps("days")} />
      <MoneyInput
        label={words.maximum}
        description={words.maximumHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        {...form.getInputProps("maximum")}
      />
    </div>
  );
}

function Period({ form, today }: { form: Form<RulesValues>; today: string }) {
  return (
    <div className={styles.pair}>
      <TextInput
        type="date"
        label={words.validFrom}
        min={today}
        required
        {...form.getInputProps("valid_from")}
      />
      <TextInput
        type="date"
        label={words.endsOn}
        description={words.endsOnHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        min={form.values.valid_from}
        {...form.getInputProps("ends_on")}
      />
    </div>
  );
}
