// Adds an address to a company, or replaces one.
import { succeeds } from "../../api/failure";
import { FormModal } from "../../components/forms/FormModal";
import type { ModalContentProps } from "../../components/modals/modals";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { AddressFields } from "./AddressFields";
import { useSaveAddress } from "./companyCalls";
import { type AddressValues, addressSchema, addressValues, NO_ADDRESS } from "./companyForm";

const words = companiesStrings.address;

export default function AddressModal(props: ModalContentProps<"ADDRESS_EDIT">) {
  const { businessId, version, address } = props.payload;
  const command = useSaveAddress(businessId, version);
  const submit = async (values: AddressValues) => {
    const done = await succeeds(command.run(address?.id, values));
    if (done) props.onConfirm({});
  };
  return (
    <FormModal
      title={address ? words.editTitle : words.addTitle}
      schema={addressSchema}
      initialValues={address ? addressValues(address) : NO_ADDRESS}
      loading={command.running}
      error={command.failure}
      onErrorClose={command.reset}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={words.save}
    >
      {(form) => <AddressFields form={form} />}
    </FormModal>
  );
}
