// The fields of the first two steps of the wizard that creates a company: the seller user, and the company.
import { Radio, TextInput } from "@mantine/core";
import { useApi } from "../../api/hooks";
import { CpfInput, TaxIdInput } from "../../components/forms/MaskedInput";
import { PasswordField } from "../../components/forms/PasswordField";
import type { Form } from "../../components/forms/useValidatedForm";
import { SearchSelect, useTypedSearch } from "../../components/SearchSelect";
import shared from "../../components/Shared.module.css";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { MccField, PersonFields, ProfileFields } from "./CompanyFields";
import type { Draft } from "./newCompany";

const words = companiesStrings.company;
const wizard = companiesStrings.wizard;

/** The fields whose label or rule follows the type. */
const FIELDS_OF_TYPE = ["document", "name", "representative_document", "birth_date"] as const;

export function SellerFields({ form }: { form: Form<Draft["seller"]> }) {
  return (
    <>
      <Radio.Group label={wizard.owner} {...form.getInputProps("owner")}>
        <div className={shared.actions}>
          <Radio value="new" label={wizard.owners.new} />
          <Radio value="existing" label={wizard.owners.existing} />
        </div>
      </Radio.Group>
      {form.values.owner === "existing" ? <ExistingSeller form={form} /> : <NewSellerFields form={form} />}
    </>
  );
}

function NewSellerFields({ form }: { form: Form<Draft["seller"]> }) {
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

function ExistingSeller({ form }: { form: Form<Draft["seller"]> }) {
  const { query, onType } = useTypedSearch();
  const { data } = useApi("/admin/sellers", { query });
  const { seller_id, seller_name } = form.values;
  return (
    <SearchSelect
      label={wizard.existing}
      description={wizard.existingHint}
      nothingFoundMessage={strings.list.noOptions}
      {...form.getInputProps("seller_id")}
      found={(data?.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
      chosen={seller_id ? { value: seller_id, label: seller_name } : undefined}
      onType={onType}
      value={seller_id || null}
      onChange={(id, option) => form.setValues({ seller_id: id ?? "", seller_name: option?.label ?? "" })}
    />
  );
}

export function BusinessFields({ form }: { form: Form<Draft["business"]> }) {
  const { type } = form.values;
  return (
    <>
      <Radio.Group
        label={wizard.type}
        {...form.getInputProps("type")}
        onChange={(chosen) => {
          form.setFieldValue("type", chosen === "PF" ? "PF" : "PJ");
          // Their messages are about the other type's fields.
          for (const field of FIELDS_OF_TYPE) form.clearFieldError(field);
        }}
      >
        <div className={shared.actions}>
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
      <ProfileFields form={form} />
      <MccField form={form} />
      <PersonFields form={form} type={type} />
    </>
  );
}
