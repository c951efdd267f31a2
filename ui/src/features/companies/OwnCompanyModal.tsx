// The form of a seller's own company. After a conflict the form keeps the typed values.
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { ProfileFields } from "./CompanyFields";
import { descriptorField, optionalEmail, phoneField } from "./companyForm";
import type { OwnCompany } from "./ownCompany";
import { COMPANY_READS } from "./reads";

const words = companiesStrings.company;

const schema = z.object({
  statement_descriptor: descriptorField,
  trade_name: z.string(),
  email: optionalEmail,
  phone: phoneField,
});

interface OwnCompanyModalProps {
  /** As it was read when the modal opened: a save is based on that version. */
  company: OwnCompany;
  onClose: () => void;
  onDone: () => void;
}

export default function OwnCompanyModal({ company, onClose, onDone }: OwnCompanyModalProps) {
  const save = useCommand("PATCH /business/{businessId}", COMPANY_READS);
  const initialValues = {
    statement_descriptor: company.statement_descriptor ?? "",
    trade_name: company.trade_name ?? "",
    email: company.email ?? "",
    phone: company.phone ?? "",
  };
  const submit = async (values: typeof initialValues) => {
    const body = { version: company.version, ...values };
    const done = await succeeds(save.run({ path: { businessId: company.id }, body }));
    if (done) onDone();
  };
  return (
    <FormModal
      title={words.edit}
      schema={schema}
      initialValues={initialValues}
      loading={save.running}
      error={save.failure}
      onErrorClose={save.reset}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
    >
      {(form) => <ProfileFields form={form} />}
    </FormModal>
  );
}
