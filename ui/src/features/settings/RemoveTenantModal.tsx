// Asks before a tenant is removed.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import type { Tenant } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { settingsStrings } from "../../strings/pt-BR.settings";
import styles from "./Tenants.module.css";

const words = settingsStrings.tenants;
const nothing = z.object({});

interface RemoveTenantModalProps {
  tenant: Tenant;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function RemoveTenantModal({ tenant, onClose, onDone }: RemoveTenantModalProps) {
  const remove = useCommand("POST /admin/settings", {
    refreshes: ["/admin/settings", "/admin/settings/history"],
  });
  const submit = async () => {
    const done = await remove
      .run({ body: { label: tenant.label, remove: true } })
      .then(() => true)
      .catch(() => false);
    if (done) onDone(words.removed(tenant.product_name));
  };
  return (
    <FormModal
      title={words.removeTitle(tenant.product_name)}
      schema={nothing}
      initialValues={{}}
      loading={remove.running}
      error={remove.failure}
      onErrorClose={remove.reset}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.remove}
      danger
    >
      {() => <p className={styles.hint}>{words.removeHint}</p>}
    </FormModal>
  );
}
