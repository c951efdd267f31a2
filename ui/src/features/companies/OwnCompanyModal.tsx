// The form of a seller's own company. After a conflict the form keeps the typed values, takes the other user's changes,
// and can be saved again.
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import { phoneField } from "../../components/forms/phoneField";
import type { Form } from "../../components/forms/useValidatedForm";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { ProfileFields } from "./CompanyFields";
import { descriptorField, optionalEmail } from "./companyForm";
import { companyLabels } from "./companyLabels";
import type { OwnCompany } from "./ownCompany";
import { COMPANY_READS } from "./reads";
import { type Conflict, useConflict, useMerge, useOwnLatest } from "./useConflict";

const words = companiesStrings.company;

const schema = z.object({
  statement_descriptor: descriptorField,
  trade_name: z.string(),
  email: optionalEmail,
  phone: phoneField,
});

const valuesOf = (company: OwnCompany) => ({
  statement_descriptor: company.statement_descriptor ?? "",
  trade_name: company.trade_name ?? "",
  email: company.email ?? "",
  phone: company.phone ?? "",
});

type Values = ReturnType<typeof valuesOf>;

interface OwnCompanyModalProps {
  /** As it was read when the modal opened: the first save is based on that version. */
  company: OwnCompany;
  onClose: () => void;
  onDone: () => void;
}

export default function OwnCompanyModal({ company, onClose, onDone }: OwnCompanyModalProps) {
  const save = useCommand("PATCH /business/{businessId}", COMPANY_READS);
  const conflict = useConflict({
    opened: company,
    latest: useOwnLatest(company.id, save.failure),
    failure: save.failure,
    valuesOf,
    labels: companyLabels(company.type),
  });
  const submit = async (values: Values) => {
    const body = { version: conflict.company.version, ...values };
    const done = await succeeds(save.run({ path: { businessId: company.id }, body }));
    if (done) onDone();
  };
  return (
    <FormModal
      title={words.edit}
      schema={schema}
      initialValues={valuesOf(company)}
      command={{ ...save, failure: conflict.error }}
      messageVariant={conflict.variant}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
    >
      {(form) => <Fields form={form} conflict={conflict} />}
    </FormModal>
  );
}

function Fields({ form, conflict }: { form: Form<Values>; conflict: Conflict<OwnCompany, Values> }) {
  useMerge(form, conflict);
  return <ProfileFields form={form} />;
}
