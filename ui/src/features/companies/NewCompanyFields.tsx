// The fields of the first two steps: the seller user, and the company.
import { Radio, TextInput } from "@mantine/core";
import { CpfInput, PhoneInput, TaxIdInput } from "../../components/forms/MaskedInput";
import { PasswordField } from "../../components/forms/PasswordField";
import type { Form } from "../../components/forms/useValidatedForm";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import type { Draft } from "./newCompany";

const words = companiesStrings.company;
const wizard = companiesStrings.wizard;

export function SellerFields({ form }: { form: Form<Draft["seller"]> }) {
  return (
    <>
      <TextInput label={wizard.sellerName} maxLength={120} {...form.getInputProps("name")} />
      <TextInput label={words.email} type="email" autoComplete="off" {...form.getInputProps("email")} />
      <CpfInput label={wizard.cpf} value={form.values.document} {...form.getInputProps("document")} />
      <PasswordField
        label={wizard.password}
        description={wizard.passwordHint}
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
    </>
  );
}

export function BusinessFields({ form }: { form: Form<Draft["business"]> }) {
  const { type } = form.values;
  return (
    <>
      <Radio.Group label={wizard.type} {...form.getInputProps("type")}>
        <div className={styles.actions}>
          <Radio value="PJ" label={strings.businessType.PJ} />
          <Radio value="PF" label={strings.businessType.PF} />
        </div>
      </Radio.Group>
      <TaxIdInput
        label={words.document[type]}
        value={form.values.document}
        {...form.getInputProps("document")}
      />
      <TextInput label={words.name[type]} maxLength={120} {...form.getInputProps("name")} />
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
      <TextInput
        label={words.mcc}
        description={words.mccHint}
        inputMode="numeric"
        maxLength={4}
        {...form.getInputProps("mcc")}
      />
      {type === "PF" ? (
        <TextInput label={words.birthDate} type="date" {...form.getInputProps("birth_date")} />
      ) : (
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
      )}
    </>
  );
}
