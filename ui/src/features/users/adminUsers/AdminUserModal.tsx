// USER_VIEW: creates or changes an admin user.
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "../../../api/hooks";
import { useIdempotencyKey } from "../../../api/idempotency";
import { FormModal } from "../../../components/forms/FormModal";
import { PasswordField } from "../../../components/forms/PasswordField";
import type { Form } from "../../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../../components/modals/modals";
import { usersStrings } from "../../../strings/pt-BR.users";
import styles from "../Users.module.css";
import { staffRolesText } from "../userText";
import {
  type AdminUserValues,
  adminChanges,
  adminCreation,
  adminUserSchema,
  type ExistingAdmin,
  initialAdmin,
  rolesOffered,
} from "./adminUserForm";

const words = usersStrings.userForm;

const REFRESHES = ["/admin/users", "/admin/users/{id}", "/admin/users/{id}/history"] as const;

export default function AdminUserModal(props: ModalContentProps<"USER_VIEW">) {
  // Fixed at the opening: the form sends the differences from this user.
  const [user] = useState(props.payload.user);
  const create = useCommand("POST /admin/users", { refreshes: ["/admin/users"] });
  const update = useCommand("PATCH /admin/users/{id}", { refreshes: REFRESHES });
  const keyFor = useIdempotencyKey();
  const command = user ? update : create;
  const save = (values: AdminUserValues) => {
    if (user) return update.run({ path: { id: user.id }, body: adminChanges(values, user) });
    const body = adminCreation(values);
    return create.run({ body, header: { "Idempotency-Key": keyFor(body) } });
  };
  const submit = async (values: AdminUserValues) => {
    const saved = await save(values).catch(() => undefined);
    if (saved) props.onConfirm(saved);
  };
  return (
    <FormModal
      title={user ? words.staffEditTitle : words.staffCreateTitle}
      schema={adminUserSchema(user)}
      initialValues={initialAdmin(user)}
      command={command}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={user ? words.save : words.create}
    >
      {(form) => <Fields form={form} user={user} />}
    </FormModal>
  );
}

function Fields({ form, user }: { form: Form<AdminUserValues>; user: ExistingAdmin | undefined }) {
  return (
    <>
      <TextInput
        label={words.name}
        required
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label={words.email}
        type="email"
        description={user ? words.emailWaits : undefined}
        required
        autoComplete="off"
        {...form.getInputProps("email")}
      />
      <PasswordField
        label={words.password}
        description={user ? words.keepPassword : words.passwordRule}
        required={!user}
        autoComplete="new-password"
        {...form.getInputProps("password")}
      />
      <Checkbox.Group label={words.groups} withAsterisk {...form.getInputProps("roles")}>
        <div className={styles.groups}>
          {rolesOffered(user).map((role) => (
            <Checkbox key={role} value={role} label={staffRolesText([role])} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label={words.active}
        description={words.activeHint}
        {...form.getInputProps("active", { type: "checkbox" })}
      />
    </>
  );
}
