// A tenant as a card: its address, its colors, and its contacts.
import { Button } from "@mantine/core";
import type { Tenant } from "../../api/models";
import { FactList } from "../../components/FactList";
import { phone } from "../../format/phone";
import { zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import { settingsStrings } from "../../strings/pt-BR.settings";
import { ColorPreview } from "./ColorPreview";
import styles from "./Tenants.module.css";

const words = settingsStrings.tenants;

interface TenantCardProps {
  tenant: Tenant;
  onEdit: () => void;
  onRemove: () => void;
}

export function TenantCard({ tenant, onEdit, onRemove }: TenantCardProps) {
  const isDefault = tenant.label === "";
  return (
    <li className={styles.tenant}>
      <h2 className={styles.name}>{tenant.product_name}</h2>
      <p className={styles.where}>{isDefault ? words.defaultHint : words.addressOf(tenant.label)}</p>
      <ColorPreview
        name={tenant.product_name}
        theme={tenant.theme_color}
        highlight={tenant.highlight_color}
      />
      <FactList facts={factsOf(tenant).map(([label, value]) => [label, value || strings.list.none])} />
      <div className={styles.actions}>
        <Button variant="default" aria-label={words.editOf(tenant.product_name)} onClick={onEdit}>
          {words.edit}
        </Button>
        {!isDefault && (
          <Button variant="default" aria-label={words.removeOf(tenant.product_name)} onClick={onRemove}>
            {words.remove}
          </Button>
        )}
      </div>
    </li>
  );
}

function factsOf(tenant: Tenant) {
  return [
    [words.themeColor, tenant.theme_color],
    [words.highlightColor, tenant.highlight_color],
    [words.contactEmail, tenant.contact_email],
    [words.contactPhone, phone(tenant.contact_phone ?? "")],
    [words.contactWhatsapp, phone(tenant.contact_whatsapp ?? "")],
    [words.timeZone, zoneName(tenant.time_zone)],
  ] as const;
}
