// Erases the data of a buyer, with a reason for the audit log.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { buyersStrings as words } from "../../strings/pt-BR.buyers";
import styles from "./Buyers.module.css";

const REASON_CHARS_MAX = 500;

const schema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, words.reasonMissing), z.maxLength(REASON_CHARS_MAX)),
});

/** A buyer by document, or the buyer of one order by its reference or its sale. */
export type BuyerSearch = { document: string } | { order: string } | { sale_id: string };

interface EraseBuyerModalProps {
  search: BuyerSearch;
  title: string;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function EraseBuyerModal({ search, title, onClose, onDone }: EraseBuyerModalProps) {
  const erase = useCommand("POST /admin/buyers/erase", {
    refreshes: ["/admin/transactions/{id}/buyer", "/admin/buyers/history"],
  });
  const submit = async ({ reason }: { reason: string }) => {
    const erased = await erase.run({ body: { ...search, reason } }).catch(() => undefined);
    if (!erased) return;
    const { orders, open } = erased;
    const message = words.erased(orders.length);
    onDone(open.length > 0 ? `${message} ${words.open(open.length)}` : message);
  };
  return (
    <FormModal
      title={title}
      schema={schema}
      initialValues={{ reason: "" }}
      command={erase}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.erase}
      danger
    >
      {(form) => (
        <>
          {words.effects.map((effect) => (
            <p key={effect} className={styles.effect}>
              {effect}
            </p>
          ))}
          <ReasonField
            label={words.reason}
            description={words.reasonHint}
            maxLength={REASON_CHARS_MAX}
            required
            data-autofocus
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </FormModal>
  );
}
