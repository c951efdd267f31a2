// Changes the data of a company. After a conflict the form keeps the typed values, takes the other user's changes, and
// can be saved again.
import { TextInput } from "@mantine/core";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import type { Form } from "../../components/forms/useValidatedForm";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { MccField, PersonFields, ProfileFields } from "./CompanyFields";
import { type CompanyValues, companyBody, companySchema, companyValues } from "./companyForm";
import { companyLabels } from "./companyLabels";
import { ReceivingPlanField } from "./PlanFields";
import { COMPANY_READS } from "./reads";
import { type Conflict, useConflict, useMerge, useStaffLatest } from "./useConflict";

const words = companiesStrings.company;

interface CompanyModalProps {
  /** As it was read when the modal opened: the first save is based on that version. */
  company: BusinessDetail;
  onClose: () => void;
  onDone: () => void;
}

export default function CompanyModal({ company, onClose, onDone }: CompanyModalProps) {
  const save = useCommand("PATCH /admin/businesses/{id}", COMPANY_READS);
  const conflict = useConflict({
    opened: company,
    latest: useStaffLatest(company.id, save.failure),
    failure: save.failure,
    valuesOf: companyValues,
    labels: companyLabels(company.type),
  });
  const submit = async (values: CompanyValues) => {
    const path = { id: company.id };
    const done = await succeeds(save.run({ path, body: companyBody(values, conflict.company) }));
    if (done) onDone();
  };
  return (
    <FormModal
      title={words.edit}
      schema={companySchema}
      initialValues={companyValues(company)}
      command={{ ...save, failure: conflict.error }}
      messageVariant={conflict.variant}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
      size="lg"
    >
      {(form) => <Fields form={form} type={company.type} conflict={conflict} />}
    </FormModal>
  );
}

interface FieldsProps {
  form: Form<CompanyValues>;
  type: BusinessDetail["type"];
  conflict: Conflict<BusinessDetail, CompanyValues>;
}

function Fields({ form, type, conflict }: FieldsProps) {
  useMerge(form, conflict);
  return (
    <>
      <TextInput label={words.name[type]} maxLength={120} data-autofocus {...form.getInputProps("name")} />
      <ProfileFields form={form} />
      <MccField form={form} />
      <ReceivingPlanField form={form} clearable={false} />
      <PersonFields form={form} type={type} />
    </>
  );
}
