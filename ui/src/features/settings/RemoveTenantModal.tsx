// Asks before a tenant is removed.
import { useCommand } from "../../api/hooks";
import type { Tenant } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { settingsStrings } from "../../strings/pt-BR.settings";

const words = settingsStrings.tenants;

interface RemoveTenantModalProps {
  tenant: Tenant;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function RemoveTenantModal({ tenant, onClose, onDone }: RemoveTenantModalProps) {
  const remove = useCommand("POST /admin/settings", {
    refreshes: ["/admin/settings", "/admin/settings/history"],
  });
  return (
    <ConfirmModal
      title={words.removeTitle(tenant.product_name)}
      effects={[words.removeHint]}
      submitLabel={words.remove}
      danger
      command={remove}
      run={() => remove.run({ body: { label: tenant.label, remove: true } })}
      onDone={() => onDone(words.removed(tenant.product_name))}
      onClose={onClose}
    />
  );
}
