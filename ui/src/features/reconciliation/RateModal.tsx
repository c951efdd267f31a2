// The form of a new agreed rate: the cost that an acquirer should deduct from a day on. Without a rate, the acquirer's
// cost is not compared.
import { Select, TextInput } from "@mantine/core";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { AcquirerRate } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { SegmentedField } from "../../components/forms/SegmentedField";
import type { Form } from "../../components/forms/useValidatedForm";
import shared from "../../components/Shared.module.css";
import { installmentsText, paymentTypeName, providerName } from "../../format/payment";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import styles from "./Reconciliation.module.css";
import {
  INSTALLMENTS_MAX,
  type RateValues,
  rateBody,
  rateSchema,
  rateValues,
  takesInstallments,
} from "./rates";

const words = settlementsStrings.rates;

const optionsOf = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }));

const PROVIDERS = optionsOf(paymentStrings.payment.providers);
const TYPES = optionsOf(paymentStrings.payment.types);
const INSTALLMENTS = Array.from({ length: INSTALLMENTS_MAX }, (_, at) => ({
  value: String(at + 1),
  label: installmentsText(at + 1),
}));

interface RateModalProps {
  /** The rate with whose values the form begins. */
  template: AcquirerRate | undefined;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function RateModal({ template, onClose, onDone }: RateModalProps) {
  const save = useCommand("POST /admin/settlements/rates", {
    refreshes: ["/admin/settlements/rates", "/admin/settlements/differences", "/admin/settlements/days"],
  });
  const submit = async (values: RateValues) => {
    const body = rateBody(values);
    const saved = await succeeds(save.run({ body }));
    if (saved) onDone(words.saved(`${providerName(body.provider)} · ${paymentTypeName(body.payment_type)}`));
  };
  return (
    <FormModal
      title={words.modalTitle}
      schema={rateSchema}
      initialValues={rateValues(template)}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
    >
      {(form) => <Fields form={form} />}
    </FormModal>
  );
}

function Fields({ form }: { form: Form<RateValues> }) {
  return (
    <>
      <div className={styles.fields}>
        <Select
          label={settlementsStrings.provider}
          placeholder={settlementsStrings.imports.chooseProvider}
          data={PROVIDERS}
          required
          {...form.getInputProps("provider")}
        />
        <Select
          label={words.type}
          placeholder={words.chooseType}
          data={TYPES}
          required
          {...form.getInputProps("payment_type")}
        />
      </div>
      {takesInstallments(form.values) && (
        <Select
          label={words.installmentsFrom}
          data={INSTALLMENTS}
          {...form.getInputProps("installments_from")}
        />
      )}
      <TextInput type="date" label={words.validFrom} required {...form.getInputProps("valid_from")} />
      <SegmentedField label={words.expects} options={words.expectations} {...form.getInputProps("expects")} />
      {form.values.expects === "rate" && (
        <div className={styles.fields}>
          <TextInput
            label={words.percent}
            inputMode="decimal"
            required
            autoComplete="off"
            {...form.getInputProps("percent")}
          />
          <MoneyInput label={words.flat} {...form.getInputProps("flat")} />
        </div>
      )}
      <p className={shared.note}>{words.effect}</p>
    </>
  );
}
