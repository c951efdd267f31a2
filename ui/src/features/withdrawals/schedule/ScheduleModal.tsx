// The form of scheduled withdrawals.
import { Select } from "@mantine/core";
import { succeeds } from "../../../api/failure";
import { useApi, useCommand } from "../../../api/hooks";
import type { WithdrawalSchedule } from "../../../api/models";
import { FormModal } from "../../../components/forms/FormModal";
import { MoneyInput } from "../../../components/forms/MoneyInput";
import { PasswordField } from "../../../components/forms/PasswordField";
import type { Form } from "../../../components/forms/useValidatedForm";
import shared from "../../../components/Shared.module.css";
import { scheduleStrings } from "../../../strings/pt-BR.schedule";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { destinationChoiceText } from "../destination";
import styles from "./Schedule.module.css";
import { bodyOf, daysOfMonth, FREQUENCIES, type ScheduleValues, scheduleSchema, valuesOf } from "./schedule";

const words = scheduleStrings;
const { requestTransfer, destination: destinations } = withdrawalsStrings;

interface ScheduleModalProps {
  businessId: string;
  /** The present one. */
  schedule: WithdrawalSchedule | null;
  onClose: () => void;
  onDone: () => void;
}

export default function ScheduleModal({ businessId, schedule, onClose, onDone }: ScheduleModalProps) {
  const query = { business_id: businessId };
  const save = useCommand("POST /balance/withdrawal-schedule", {
    refreshes: ["/balance/withdrawal-schedule"],
  });
  const submit = async (values: ScheduleValues) => {
    if (await succeeds(save.run({ query, body: bodyOf(values) }))) onDone();
  };
  return (
    <FormModal
      title={words.title}
      schema={scheduleSchema}
      initialValues={valuesOf(schedule)}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.set}
    >
      {(form) => <Fields form={form} businessId={businessId} />}
    </FormModal>
  );
}

function Fields({ form, businessId }: { form: Form<ScheduleValues>; businessId: string }) {
  const { frequency } = form.getValues();
  const quote = useApi("/balance/transfers/quote", { query: { business_id: businessId } });
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={words.frequency}
          required
          allowDeselect={false}
          data-autofocus
          data={FREQUENCIES.map((value) => ({ value, label: words.frequencies[value] }))}
          {...form.getInputProps("frequency")}
        />
        {frequency === "week" && (
          <Select
            label={words.weekday}
            required
            data={Object.entries(words.weekdays).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps("weekday")}
          />
        )}
        {frequency === "month" && (
          <Select
            label={words.dayOfMonth}
            required
            data={daysOfMonth}
            {...form.getInputProps("dayOfMonth")}
          />
        )}
      </div>
      <div className={styles.pair}>
        <MoneyInput
          label={words.minimum}
          description={words.minimumHint}
          required
          {...form.getInputProps("minimum")}
        />
        <MoneyInput
          label={words.kept}
          description={words.keptHint}
          required
          {...form.getInputProps("kept")}
        />
      </div>
      <Select
        label={requestTransfer.destination}
        required
        data={(quote.data?.destinations ?? []).map(({ destination, available, details }) => ({
          value: String(destination),
          label: details
            ? `${destinations[destination]} · ${destinationChoiceText(details)}`
            : destinations[destination],
          disabled: !available,
        }))}
        {...form.getInputProps("destination")}
      />
      <p className={shared.hint}>{words.moves}</p>
      <PasswordField
        label={requestTransfer.password}
        required
        autoComplete="current-password"
        {...form.getInputProps("password")}
      />
    </>
  );
}
