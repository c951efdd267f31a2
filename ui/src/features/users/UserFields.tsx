// The fields of a seller user: the user's data, and in some forms the group and the companies.
import { Checkbox, Select, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { SellerRole } from "../../api/models";
import { CpfInput } from "../../components/forms/MaskedInput";
import { PasswordField } from "../../components/forms/PasswordField";
import type { Form } from "../../components/forms/useValidatedForm";
import { usersStrings } from "../../strings/pt-BR.users";
import { type GroupChoice, groupOptions } from "./groups";
import { asksAccess, type FormContext, groupsDiffer, type SellerUserValues } from "./sellerUserForm";
import styles from "./Users.module.css";

const words = usersStrings.userForm;

interface UserFieldsProps {
  form: Form<SellerUserValues>;
  context: FormContext;
  groups: readonly SellerRole[];
  onGroup: (group: GroupChoice) => void;
  /** The companies field, which differs between the panels. */
  children: ReactNode;
}

export function UserFields({ form, context, groups, onGroup, children }: UserFieldsProps) {
  const { user } = context;
  const differ = user !== undefined && groupsDiffer(user);
  return (
    <>
      <PersonFields form={form} context={context} />
      {asksAccess(context) ? (
        <>
          <Select
            label={words.group}
            placeholder={differ ? words.groupsDiffer : words.selectPlaceholder}
            required={!differ}
            data={groupOptions(groups)}
            {...form.getInputProps("role_id")}
            value={form.getValues().role_id || null}
            onChange={(group) => onGroup((group ?? "") as GroupChoice)}
            // An optional group can be cleared; a required one cannot.
            clearable={differ}
          />
          {children}
        </>
      ) : (
        <p className={styles.note}>{words.accessElsewhere}</p>
      )}
    </>
  );
}

/** The user's data. They are read-only if the signed-in user cannot manage the user. */
function PersonFields({ form, context: { user } }: Pick<UserFieldsProps, "form" | "context">) {
  const locked = user?.editable === false;
  const field = { readOnly: locked, variant: locked ? "filled" : "default" };
  return (
    <>
      {locked && <p className={styles.reason}>{usersStrings.user.disabledReasons.notManaged}</p>}
      <TextInput
        label={words.name}
        required={!locked}
        autoComplete="off"
        data-autofocus={locked ? undefined : true}
        {...field}
        {...form.getInputProps("name")}
      />
      <TextInput
        label={words.email}
        type="email"
        description={user && !locked ? words.emailWaits : undefined}
        required={!locked}
        autoComplete="off"
        {...field}
        {...form.getInputProps("email")}
      />
      {!locked && (
        <PasswordField
          label={words.password}
          description={user ? words.keepPassword : words.passwordRule}
          required={!user}
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      )}
      <CpfInput
        label={words.document}
        required={!locked}
        {...field}
        {...form.getInputProps("document")}
        value={form.getValues().document}
        onChange={(document) => form.setFieldValue("document", document)}
      />
      <Checkbox
        label={words.active}
        description={words.activeHint}
        disabled={locked}
        {...form.getInputProps("active", { type: "checkbox" })}
      />
    </>
  );
}
