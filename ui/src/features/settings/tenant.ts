// The form of a tenant's settings: its fields, its validation, and the body that is sent.
import * as z from "zod/mini";
import type { Tenant } from "../../api/models";
import { emailField } from "../../components/forms/personFields";
import { phoneField } from "../../components/forms/phoneField";
import { isColor } from "../../format/color";
import { personStrings } from "../../strings/pt-BR.person";
import { settingsStrings } from "../../strings/pt-BR.settings";

const words = settingsStrings.tenants;
export const PRODUCT_NAME_CHARS_MAX = 40;

const color = z.string().check(z.trim(), z.refine(isColor, words.colorInvalid));

const fields = {
  product_name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, words.productRequired),
      z.maxLength(PRODUCT_NAME_CHARS_MAX, words.productTooLong),
    ),
  theme_color: color,
  highlight_color: color,
  contact_email: z.union([z.literal(""), emailField], { error: personStrings.emailInvalid }),
  contact_phone: phoneField,
  contact_whatsapp: phoneField,
  time_zone: z.string(),
};

/** For an existing tenant, whose label cannot change. */
export const tenantSchema = z.object({ label: z.string(), ...fields });
/** The label is the subdomain; empty for the default tenant. */
export type TenantValues = z.infer<typeof tenantSchema>;

export function valuesOf(tenant: Tenant): TenantValues {
  return {
    ...tenant,
    contact_email: tenant.contact_email ?? "",
    contact_phone: tenant.contact_phone ?? "",
    contact_whatsapp: tenant.contact_whatsapp ?? "",
  };
}

/** A label of a host name in lowercase: up to 63 characters, and no hyphen at either end (RFC 1123). */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** For a new tenant; the labels of others are taken. */
export function newTenantSchema(taken: readonly string[]) {
  const label = z.string().check(
    z.trim(),
    z.regex(LABEL, words.labelRequired),
    z.refine((typed) => !taken.includes(typed), words.labelTaken),
  );
  return z.object({ label, ...fields });
}

/** Empty contacts are sent as null. */
export function tenantBody(values: TenantValues) {
  const given = (text: string) => text.trim() || null;
  return {
    label: values.label.trim(),
    product_name: values.product_name.trim(),
    theme_color: values.theme_color.trim(),
    highlight_color: values.highlight_color.trim(),
    contact_email: given(values.contact_email),
    contact_phone: given(values.contact_phone),
    contact_whatsapp: given(values.contact_whatsapp),
    time_zone: values.time_zone,
  };
}
