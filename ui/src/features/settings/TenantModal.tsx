// Creates or changes a tenant.
import { ColorSwatch, Select, TextInput, type TextInputProps } from "@mantine/core";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { Tenant } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { PhoneInput } from "../../components/forms/MaskedInput";
import type { Form } from "../../components/forms/useValidatedForm";
import { isColor } from "../../format/color";
import { NAMED_ZONES, otherZones, zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import { accountStrings } from "../../strings/pt-BR.account";
import { settingsStrings } from "../../strings/pt-BR.settings";
import { ColorPreview } from "./ColorPreview";
import { LogoField } from "./LogoField";
import styles from "./Tenants.module.css";
import {
  newTenantSchema,
  PRODUCT_NAME_CHARS_MAX,
  type TenantValues,
  tenantBody,
  tenantSchema,
  valuesOf,
} from "./tenant";

const words = settingsStrings.tenants;

const NEW: TenantValues = {
  label: "",
  product_name: "",
  theme_color: "",
  highlight_color: "",
  contact_email: "",
  contact_phone: "",
  contact_whatsapp: "",
  time_zone: "America/Sao_Paulo",
};

interface TenantModalProps {
  /** The tenant to change; undefined to create one. */
  tenant?: Tenant;
  /** The tenants whose labels a new one cannot have. */
  others: readonly Tenant[];
  onClose: () => void;
  onDone: (message: string) => void;
}

export function TenantModal({ tenant, others, onClose, onDone }: TenantModalProps) {
  const save = useCommand("POST /admin/settings", {
    refreshes: ["/admin/settings", "/admin/settings/history"],
  });
  const submit = async (values: TenantValues) => {
    const body = tenantBody(values);
    const done = await succeeds(save.run({ body }));
    if (done) onDone(words.saved(body.product_name));
  };
  return (
    <FormModal
      title={tenant ? words.editTitle(tenant.product_name) : words.addTitle}
      schema={tenant ? tenantSchema : newTenantSchema(others.map(({ label }) => label))}
      initialValues={tenant ? valuesOf(tenant) : NEW}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={accountStrings.account.save}
      size="lg"
    >
      {(form) => (
        <>
          <Fields form={form} isNew={tenant === undefined} />
          {tenant && <LogoField label={tenant.label} name={tenant.product_name} />}
        </>
      )}
    </FormModal>
  );
}

function Fields({ form, isNew }: { form: Form<TenantValues>; isNew: boolean }) {
  const { product_name, theme_color, highlight_color } = form.values;
  return (
    <>
      {isNew && (
        <TextInput
          label={words.label}
          description={words.labelHint}
          autoCapitalize="none"
          data-autofocus
          {...form.getInputProps("label")}
        />
      )}
      <TextInput
        label={words.productName}
        maxLength={PRODUCT_NAME_CHARS_MAX}
        {...form.getInputProps("product_name")}
      />
      <div className={styles.pair}>
        <ColorInput label={words.themeColor} {...form.getInputProps("theme_color")} />
        <ColorInput label={words.highlightColor} {...form.getInputProps("highlight_color")} />
      </div>
      <ColorPreview name={product_name} theme={theme_color.trim()} highlight={highlight_color.trim()} />
      <TextInput
        label={words.contactEmail}
        type="email"
        autoComplete="off"
        {...form.getInputProps("contact_email")}
      />
      <div className={styles.pair}>
        <PhoneInput
          label={words.contactPhone}
          value={form.values.contact_phone}
          autoComplete="off"
          {...form.getInputProps("contact_phone")}
        />
        <PhoneInput
          label={words.contactWhatsapp}
          value={form.values.contact_whatsapp}
          autoComplete="off"
          {...form.getInputProps("contact_whatsapp")}
        />
      </div>
      <Select
        label={words.timeZone}
        description={words.timeZoneHint}
        data={[...NAMED_ZONES, ...otherZones()].map((zone) => ({ value: zone, label: zoneName(zone) }))}
        searchable
        nothingFoundMessage={strings.list.noOptions}
        {...form.getInputProps("time_zone")}
      />
    </>
  );
}

/** A color's code with a swatch. */
function ColorInput(props: TextInputProps & { value?: string }) {
  const shown = props.value?.trim() ?? "";
  return (
    <TextInput
      placeholder="#RRGGBB"
      autoCapitalize="none"
      spellCheck={false}
      leftSection={isColor(shown) ? <ColorSwatch color={shown} size={18} aria-hidden /> : undefined}
      {...props}
    />
  );
}
