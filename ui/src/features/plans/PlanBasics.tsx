// The fields of a sales plan outside the tabs of fees, and the day from which its fees apply.
import { Checkbox, SegmentedControl, Select, TextInput } from "@mantine/core";
import type { PlanDetail } from "../../api/models";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import { BUSINESS_ZONE, businessDate, dateIn } from "../../format/dates";
import { strings } from "../../strings/pt-BR";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { plansStrings } from "../../strings/pt-BR.plans";
import { PlanFlags } from "./PlanFlags";
import styles from "./Plans.module.css";
import { DESCRIPTION_CHARS_MAX, type PlanValues } from "./planForm";

const words = plansStrings.form;

/** The business date of an instant. */
export const businessDateOf = (instant: string) => dateIn(BUSINESS_ZONE, new Date(instant));

export function PlanBasics({ form, plan }: { form: Form<PlanValues>; plan: PlanDetail | undefined }) {
  const { active } = form.values;
  return (
    <>
      <TextInput
        label={words.description}
        maxLength={DESCRIPTION_CHARS_MAX}
        required
        data-autofocus
        {...form.getInputProps("description")}
      />
      <div className={styles.pair}>
        <Select
          label={words.solution}
          description={plan ? words.solutionHint : undefined}
          data={Object.entries(paymentStrings.payment.solutions).map(([value, label]) => ({ value, label }))}
          disabled={plan !== undefined}
          withAsterisk
          {...form.getInputProps("solution_id")}
        />
        <Select
          label={words.type}
          data={Object.entries(strings.feeTypes).map(([value, label]) => ({ value, label }))}
          withAsterisk
          {...form.getInputProps("mdr")}
        />
      </div>
      <div className={styles.pair}>
        <TextInput
          label={words.percentageRate}
          inputMode="decimal"
          required
          {...form.getInputProps("percentage_rate")}
        />
        <MoneyInput label={words.flatRate} required {...form.getInputProps("flat_rate")} />
        <TextInput
          label={words.settlementDays}
          inputMode="numeric"
          required
          {...form.getInputProps("settlement_days")}
        />
      </div>
      <div className={styles.pair}>
        <PlanFlags
          values={form.values}
          inputs={(field) => form.getInputProps(field, { type: "checkbox" })}
          isDefault={plan?.default ?? false}
          label={words.default}
          hint={words.defaultHint}
        />
        <Checkbox
          label={words.offered}
          description={words.offeredHint}
          {...form.getInputProps("offered", { type: "checkbox" })}
          checked={form.values.offered && active}
          disabled={!active}
        />
      </div>
    </>
  );
}

export function PlanStart({ form, plan }: { form: Form<PlanValues>; plan: PlanDetail | undefined }) {
  const scheduled = plan?.scheduled_from;
  return (
    <div>
      <h3 className={styles.heading}>{words.starts}</h3>
      <p className={styles.note}>{words.startsHint}</p>
      <div className={styles.panel}>
        <SegmentedControl
          aria-label={words.starts}
          data={[
            { value: "now", label: words.startsNow },
            { value: "later", label: words.startsLater },
          ]}
          {...form.getInputProps("starts")}
        />
        {form.values.starts === "later" && (
          <TextInput type="date" label={words.validFrom} required {...form.getInputProps("valid_from")} />
        )}
        {scheduled && (
          <p className={styles.warning}>{words.replaces(businessDate(businessDateOf(scheduled)))}</p>
        )}
      </div>
    </div>
  );
}
