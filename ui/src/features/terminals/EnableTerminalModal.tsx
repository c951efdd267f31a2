// Enables a card machine for a company with the token that the machine shows.
import { TextInput } from "@mantine/core";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { BusinessSelect } from "../../components/BusinessSelect";
import { FormModal } from "../../components/forms/FormModal";
import type { ModalContentProps } from "../../components/modals/modals";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { enableSchema, SERIAL_CHARS_MAX } from "./schemas";
import styles from "./Terminals.module.css";

const words = terminalStrings.enable;

export default function EnableTerminalModal({
  payload: { business },
  dismissible,
  onClose,
  onConfirm,
}: ModalContentProps<"TERMINAL_VIEW">) {
  const enable = useCommand("POST /admin/businesses/{business_id}/terminals", {
    refreshes: ["/admin/terminals"],
  });
  const keyFor = useIdempotencyKey();
  const initialValues = { business: business?.id ?? "", token: "", serial_number: "" };
  const submit = async (values: typeof initialValues) => {
    const business_id = values.business;
    const body = { token: values.token.trim(), serial_number: values.serial_number.trim() };
    await enable
      .run({ path: { business_id }, body, header: { "Idempotency-Key": keyFor({ business_id, ...body }) } })
      .then(onConfirm)
      // The form shows the failure.
      .catch(() => undefined);
  };
  return (
    <FormModal
      title={words.title}
      schema={enableSchema}
      initialValues={initialValues}
      command={enable}
      onSubmit={submit}
      onClose={onClose}
      dismissible={dismissible}
      submitLabel={words.submit}
    >
      {(form) => (
        <>
          <p className={styles.hint}>{words.hint}</p>
          <BusinessSelect
            label={words.business}
            chosen={business}
            {...form.getInputProps("business")}
            value={form.values.business || null}
            onChange={(id) => form.setFieldValue("business", id ?? "")}
          />
          <TextInput
            label={words.token}
            description={words.tokenHint}
            inputMode="numeric"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps("token")}
          />
          <TextInput
            label={words.serialNumber}
            description={words.serialHint}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={SERIAL_CHARS_MAX}
            {...form.getInputProps("serial_number")}
          />
        </>
      )}
    </FormModal>
  );
}
