// Changes how a terminal is billed: its type, its acquisition, and the price of its rental.
import { Select } from "@mantine/core";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { TERMINAL_READS } from "./reads";
import { type BillingValues, billingSchema } from "./schemas";
import { seenVersion } from "./seenVersion";
import styles from "./Terminals.module.css";

const words = terminalStrings.billing;

const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const TYPES = options(terminalStrings.billingTypes);
const ACQUISITIONS = options(terminalStrings.acquisitions);
/** The billing type of a rental. */
const RENTAL = "1";
/** The acquisition of a rented terminal. */
const RENTED = "1";

const text = (number: number | null) => (number === null ? "" : String(number));

export default function TerminalBillingModal({
  payload: { terminal },
  dismissible,
  onClose,
  onConfirm,
}: ModalContentProps<"TERMINAL_RENTAL_EDIT">) {
  const { id, serial_number, business_id } = terminal;
  const save = useCommand("PATCH /admin/terminals/{terminal_id}", {
    refreshes: TERMINAL_READS,
  });
  const initialValues: BillingValues = {
    billing_type: text(terminal.billing_type),
    acquisition: text(terminal.acquisition),
    rental_price: terminal.rental_price ?? undefined,
  };
  const submit = async ({ billing_type, acquisition, rental_price }: BillingValues) => {
    const price = billing_type === RENTAL && rental_price !== undefined ? { rental_price } : {};
    const body = {
      billing_type: Number(billing_type) as 0 | 1,
      acquisition: Number(acquisition) as 0 | 1,
      ...price,
      ...seenVersion(terminal, save.failure),
    };
    await save
      .run({ path: { terminal_id: id }, query: { business_id: business_id ?? "" }, body })
      .then(onConfirm)
      // The form shows the failure.
      .catch(() => undefined);
  };
  return (
    <FormModal
      title={words.title(serial_number)}
      schema={billingSchema}
      initialValues={initialValues}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      dismissible={dismissible}
      submitLabel={words.submit}
    >
      {(form) => <Fields form={form} />}
    </FormModal>
  );
}

function Fields({ form }: { form: Form<BillingValues> }) {
  return (
    <>
      <Select
        label={words.billingType}
        placeholder={words.choose}
        data={TYPES}
        data-autofocus
        {...form.getInputProps("billing_type")}
        value={form.values.billing_type || null}
        onChange={(chosen) => {
          form.setFieldValue("billing_type", chosen ?? "");
          // Only a rented terminal can be billed as a rental.
          if (chosen === RENTAL) form.setFieldValue("acquisition", RENTED);
        }}
      />
      <Select
        label={words.acquisition}
        placeholder={words.choose}
        data={ACQUISITIONS}
        {...form.getInputProps("acquisition")}
        value={form.values.acquisition || null}
        onChange={(chosen) => form.setFieldValue("acquisition", chosen ?? "")}
      />
      {form.values.billing_type === RENTAL && (
        <MoneyInput
          label={words.price}
          description={words.priceHint}
          {...form.getInputProps("rental_price")}
        />
      )}
      <p className={styles.hint}>{words.effect}</p>
    </>
  );
}
