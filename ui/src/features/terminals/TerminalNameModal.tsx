// A seller names a card machine. A blank name removes the name.
import { TextInput } from "@mantine/core";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import type { ModalContentProps } from "../../components/modals/modals";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { nameSchema } from "./schemas";
import { seenVersion } from "./seenVersion";

const words = terminalStrings.name;

export default function TerminalNameModal({
  payload: { terminal, businessId },
  dismissible,
  onClose,
  onConfirm,
}: ModalContentProps<"TERMINAL_EDIT_NAME">) {
  const { id, serial_number } = terminal;
  const rename = useCommand("PATCH /terminals/{id}/", { refreshes: ["/business/{businessId}/terminals"] });
  const initialValues = { name: terminal.name ?? "" };
  const submit = async (values: typeof initialValues) => {
    const name = values.name.trim();
    await rename
      .run({
        path: { id },
        query: { business_id: businessId },
        body: { name: name || null, ...seenVersion(terminal, rename.failure) },
      })
      .then(onConfirm)
      // The form shows the failure.
      .catch(() => undefined);
  };
  return (
    <FormModal
      title={words.title(serial_number)}
      schema={nameSchema}
      initialValues={initialValues}
      command={rename}
      onSubmit={submit}
      onClose={onClose}
      dismissible={dismissible}
      submitLabel={words.submit}
    >
      {(form) => (
        <TextInput
          label={words.field}
          description={words.hint}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps("name")}
        />
      )}
    </FormModal>
  );
}
