// Adds an address to a company, or replaces one. After a conflict the form keeps the typed values, takes the other
// user's changes, and can be saved again.
import { succeeds } from "../../api/failure";
import type { BusinessDetail } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { AddressFields } from "./AddressFields";
import { useSaveAddress } from "./companyCalls";
import { type AddressValues, addressSchema, addressValues, NO_ADDRESS } from "./companyForm";
import { ADDRESS_LABELS } from "./companyLabels";
import { hasSame } from "./companyMerge";
import { type Conflict, useConflict, useMerge, useOwnLatest, useStaffLatest } from "./useConflict";

const words = companiesStrings.address;

type Company = Pick<BusinessDetail, "version" | "addresses">;

export default function AddressModal(props: ModalContentProps<"ADDRESS_EDIT">) {
  const { businessId, version, address } = props.payload;
  const command = useSaveAddress(businessId);
  const { failure } = command;
  const staff = useStaffLatest(businessId, failure);
  const own = useOwnLatest(businessId, failure);
  const valuesOf = ({ addresses }: Company): AddressValues => {
    const found = addresses.find(({ id }) => id === address?.id);
    return found ? addressValues(found) : NO_ADDRESS;
  };
  const opened: Company = { version, addresses: address ? [address] : [] };
  const conflict = useConflict<Company, AddressValues>({
    opened,
    latest: staff ?? own,
    failure,
    valuesOf,
    labels: ADDRESS_LABELS,
    // The answer to an earlier save may have been lost. A second save would add the address twice.
    note: (typed, latest) =>
      !address && hasSame(latest.addresses.map(addressValues), typed) ? words.alreadyAdded : undefined,
  });
  const submit = async (values: AddressValues) => {
    const done = await succeeds(command.run(conflict.company.version, address?.id, values));
    if (done) props.onConfirm({});
  };
  return (
    <FormModal
      title={address ? words.editTitle : words.addTitle}
      schema={addressSchema}
      initialValues={valuesOf(opened)}
      command={{ ...command, failure: conflict.error }}
      messageVariant={conflict.variant}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={words.save}
    >
      {(form) => <Fields form={form} conflict={conflict} />}
    </FormModal>
  );
}

interface FieldsProps {
  form: Form<AddressValues>;
  conflict: Conflict<Company, AddressValues>;
}

function Fields({ form, conflict }: FieldsProps) {
  useMerge(form, conflict);
  return <AddressFields form={form} />;
}
