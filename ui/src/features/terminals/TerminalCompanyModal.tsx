// Changes the company of a terminal.
import { useCommand } from "../../api/hooks";
import { BusinessSelect } from "../../components/BusinessSelect";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import type { ModalContentProps } from "../../components/modals/modals";
import { money } from "../../format/money";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { TERMINAL_READS } from "./reads";
import { companySchema } from "./schemas";
import { seenVersion } from "./seenVersion";
import styles from "./Terminals.module.css";

const words = terminalStrings.company;

export default function TerminalCompanyModal({
  payload: { terminal },
  dismissible,
  onClose,
  onConfirm,
}: ModalContentProps<"TERMINAL_EDIT">) {
  const { id, serial_number, business, monthly_price } = terminal;
  const move = useCommand("POST /admin/terminals/{terminal_id}/owner", {
    refreshes: TERMINAL_READS,
  });
  const initialValues = { business_id: "" };
  const submit = async ({ business_id }: typeof initialValues) => {
    await move
      .run({ path: { terminal_id: id }, body: { business_id, ...seenVersion(terminal, move.failure) } })
      .then(onConfirm)
      // The form shows the failure.
      .catch(() => undefined);
  };
  return (
    <FormModal
      title={words.title(serial_number)}
      schema={companySchema}
      initialValues={initialValues}
      command={move}
      onSubmit={submit}
      onClose={onClose}
      dismissible={dismissible}
      submitLabel={words.submit}
    >
      {(form) => (
        <>
          <FactList
            variant="boxed"
            facts={[[words.now, business?.name ?? terminalStrings.status.in_stock]]}
          />
          <BusinessSelect
            label={words.business}
            data-autofocus
            {...form.getInputProps("business_id")}
            value={form.values.business_id || null}
            onChange={(id) => form.setFieldValue("business_id", id ?? "")}
          />
          {business && <p className={styles.hint}>{words.effect}</p>}
          {business && monthly_price !== null && (
            <p className={styles.hint}>{words.rented(money(monthly_price))}</p>
          )}
        </>
      )}
    </FormModal>
  );
}
