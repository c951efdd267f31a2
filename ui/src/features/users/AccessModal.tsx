// Grants a user access to one more company, or changes the user's group in a company. Screens call a role a group.
import { Select } from "@mantine/core";
import { useState } from "react";
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import type { SellerRole } from "../../api/models";
import { BusinessSelect } from "../../components/BusinessSelect";
import { FormModal } from "../../components/forms/FormModal";
import type { Form } from "../../components/forms/useValidatedForm";
import { usersStrings } from "../../strings/pt-BR.users";
import { useGrantAccess } from "./accessCalls";
import {
  ALL_GROUPS,
  canManage,
  type GroupChoice,
  groupOf,
  groupOptions,
  idOf,
  type OwnCompany,
} from "./groups";
import styles from "./Users.module.css";

const words = usersStrings.accessForm;

interface AccessModalProps {
  userId: string;
  /** The access to change; undefined to grant a new one. */
  access?: { id: string; name: string; role: SellerRole } | undefined;
  /** The companies that a seller can choose from, including the changed one; staff choose from all. */
  companies?: readonly OwnCompany[] | undefined;
  onDone: (companyName: string) => void;
  onClose: () => void;
}

interface Values {
  business_id: string;
  /** The choice of the group, under the name of the gateway's field, whose errors it shows. */
  role_id: GroupChoice;
}

const schema = z.object({
  business_id: z.string().check(z.minLength(1, usersStrings.userFields.businessRequired)),
  role_id: z.string().check(z.minLength(1, usersStrings.userFields.groupRequired)),
});

/** The groups that can be granted in a company: any for staff, else by the seller's own role there. */
function groupsIn(companies: readonly OwnCompany[] | undefined, business: string): readonly SellerRole[] {
  if (!companies) return ALL_GROUPS;
  const ownRole = companies.find(({ id }) => id === business)?.role;
  return ALL_GROUPS.filter((role) => canManage(ownRole, role));
}

export function AccessModal({ userId, access, companies, onDone, onClose }: AccessModalProps) {
  const grant = useGrantAccess(userId);
  const [companyName, setCompanyName] = useState(access?.name ?? "");
  const submit = async ({ business_id, role_id }: Values) => {
    if (role_id === "") return;
    const done = await succeeds(grant.run({ business: business_id, role_id: idOf(role_id) }));
    if (done) onDone(companyName);
  };
  const title = access ? words.changeTitle : words.grantTitle;
  return (
    <FormModal<Values>
      title={title}
      schema={schema}
      initialValues={{ business_id: access?.id ?? "", role_id: access ? groupOf(access.role) : "" }}
      command={grant}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={access ? words.change : words.grant}
    >
      {(form) => <Fields form={form} access={access} companies={companies} onCompany={setCompanyName} />}
    </FormModal>
  );
}

interface FieldsProps extends Pick<AccessModalProps, "access" | "companies"> {
  form: Form<Values>;
  onCompany: (name: string) => void;
}

function Fields({ form, access, companies, onCompany }: FieldsProps) {
  const { business_id, role_id } = form.getValues();
  const groups = groupsIn(companies, business_id);
  const choose = (id: string | null, name = "") => {
    form.setFieldValue("business_id", id ?? "");
    onCompany(name);
    // The group of the previous company may not be allowed in this one.
    const keepsGroup = groupsIn(companies, id ?? "").some((role) => groupOf(role) === role_id);
    if (!keepsGroup) form.setFieldValue("role_id", "");
  };
  const field = {
    label: words.business,
    required: true,
    "data-autofocus": true,
    // The list must not open when the modal focuses the field.
    openOnFocus: false,
    ...form.getInputProps("business_id"),
    value: business_id || null,
    onChange: (id: string | null, option: { label: string } | null) => choose(id, option?.label),
  };
  return (
    <>
      {access ? (
        <p className={styles.effect}>{words.at(access.name)}</p>
      ) : companies ? (
        <Select
          {...field}
          placeholder={usersStrings.userForm.selectPlaceholder}
          data={companies.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <BusinessSelect {...field} placeholder={words.businessPlaceholder} />
      )}
      <Select
        label={words.group}
        placeholder={usersStrings.userForm.selectPlaceholder}
        required
        data={groupOptions(groups)}
        disabled={groups.length === 0}
        {...form.getInputProps("role_id")}
        value={role_id || null}
        onChange={(group) => form.setFieldValue("role_id", (group ?? "") as GroupChoice)}
      />
    </>
  );
}
