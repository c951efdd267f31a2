// Adds a bank account to a company. If the banks cannot be loaded, the modal closes, as the specification requires.
import { Select, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { succeeds } from "../../api/failure";
import { useApi } from "../../api/hooks";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { type Bank, findBanks } from "../../format/banks";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import { useAddBankAccount } from "./companyCalls";
import { type AccountValues, accountSchema, NO_ACCOUNT } from "./companyForm";

const words = companiesStrings.account;

export default function BankAccountModal(props: ModalContentProps<"ADD_BANK_ACCOUNT">) {
  const { business } = props.payload;
  const options = useApi("/options", {});
  const add = useAddBankAccount(business.id);
  const { onClose } = props;
  const failed = options.error !== undefined && !options.data;
  useEffect(() => {
    if (failed) onClose();
  }, [failed, onClose]);
  const submit = async (data: AccountValues) => {
    const done = await succeeds(add.run(data));
    if (done) props.onConfirm({});
  };
  if (!options.data) return null;
  const name = companiesStrings.company.name[business.type];
  return (
    <FormModal
      title={words.title}
      schema={accountSchema}
      initialValues={NO_ACCOUNT}
      command={add}
      onSubmit={submit}
      onClose={onClose}
      dismissible={props.dismissible}
      submitLabel={words.save}
    >
      {(form) => (
        <>
          <FactList
            variant="boxed"
            facts={[
              [name, business.name],
              [companiesStrings.company.document[business.type], taxId(business.document)],
            ]}
          />
          <BankAccountFields form={form} banks={options.data?.banks ?? []} />
        </>
      )}
    </FormModal>
  );
}

interface FieldsProps {
  form: Form<AccountValues>;
  banks: readonly Bank[];
}

const labelOf = (bank: Bank | undefined) => bank && `${bank.code} · ${bank.name}`;
const optionsOf = (banks: readonly Bank[]) =>
  banks.map((bank) => ({ value: bank.code, label: `${bank.code} · ${bank.name}` }));

export function BankAccountFields({ form, banks }: FieldsProps) {
  const chosen = banks.find(({ code }) => code === form.values.bank_code);
  return (
    <>
      <Select
        label={words.bank}
        placeholder={words.bankHint}
        data={optionsOf(banks)}
        searchable
        limit={50}
        filter={({ search }) => optionsOf(search === labelOf(chosen) ? banks : findBanks(banks, search))}
        nothingFoundMessage={strings.list.noOptions}
        {...form.getInputProps("bank_code")}
        value={form.values.bank_code || null}
        onChange={(code) => form.setFieldValue("bank_code", code ?? "")}
      />
      <Select
        label={words.type}
        data={Object.entries(strings.accountTypes).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("type")}
        value={form.values.type || null}
        onChange={(type) => form.setFieldValue("type", type ?? "")}
      />
      <div className={styles.pair}>
        <TextInput
          label={words.routingNumber}
          inputMode="numeric"
          {...form.getInputProps("routing_number")}
        />
        <TextInput label={words.routingDigit} {...form.getInputProps("routing_digit")} />
      </div>
      <div className={styles.pair}>
        <TextInput
          label={words.accountNumber}
          inputMode="numeric"
          {...form.getInputProps("account_number")}
        />
        <TextInput label={words.accountDigit} {...form.getInputProps("account_digit")} />
      </div>
    </>
  );
}
