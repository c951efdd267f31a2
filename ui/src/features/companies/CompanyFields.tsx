// The fields of a company that several forms have: the wizard, the modal of staff, and the one of sellers.
import { TextInput } from "@mantine/core";
import { CpfInput, PhoneInput } from "../../components/forms/MaskedInput";
import type { AnyValues, Form } from "../../components/forms/useValidatedForm";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";

const words = companiesStrings.company;

export interface ProfileValues extends AnyValues {
  trade_name: string;
  statement_descriptor: string;
  email: string;
  phone: string;
}

/** The fields that sellers may change too. */
export function ProfileFields<Values extends ProfileValues>({ form }: { form: Form<Values> }) {
  return (
    <>
      <TextInput label={words.tradeName} maxLength={120} {...form.getInputProps("trade_name")} />
      <TextInput
        label={words.descriptor}
        description={words.descriptorHint}
        maxLength={22}
        {...form.getInputProps("statement_descriptor")}
      />
      <div className={styles.pair}>
        <TextInput label={words.email} type="email" autoComplete="off" {...form.getInputProps("email")} />
        <PhoneInput
          label={words.phone}
          value={form.values.phone}
          autoComplete="off"
          {...form.getInputProps("phone")}
        />
      </div>
    </>
  );
}

export function MccField<Values extends { mcc: string } & AnyValues>({ form }: { form: Form<Values> }) {
  return (
    <TextInput
      label={words.mcc}
      description={words.mccHint}
      inputMode="numeric"
      {...form.getInputProps("mcc")}
    />
  );
}

interface PersonValues extends AnyValues {
  birth_date: string;
  representative_name: string;
  representative_document: string;
}

/** The birth date of a person, or the legal representative of a company. */
export function PersonFields<Values extends PersonValues>({
  form,
  type,
}: {
  form: Form<Values>;
  type: "PF" | "PJ";
}) {
  if (type === "PF") {
    return <TextInput label={words.birthDate} type="date" {...form.getInputProps("birth_date")} />;
  }
  return (
    <div className={styles.pair}>
      <TextInput
        label={words.representative}
        maxLength={120}
        {...form.getInputProps("representative_name")}
      />
      <CpfInput
        label={words.representativeDocument}
        value={form.values.representative_document}
        {...form.getInputProps("representative_document")}
      />
    </div>
  );
}
