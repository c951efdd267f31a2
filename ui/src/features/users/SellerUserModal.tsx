// USER_SELLER_VIEW: creates or changes a user of a company. Sellers choose among their own companies, staff among all.
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../../api/hooks";
import { panel } from "../../api/panel";
import { useSession } from "../../api/session";
import { FormModal } from "../../components/forms/FormModal";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { usersStrings } from "../../strings/pt-BR.users";
import { CompaniesField, type CompanyChoice } from "./CompaniesField";
import { companyChoices } from "./companyChoices";
import { ALL_GROUPS, type GroupChoice, groupsOffered } from "./groups";
import { useSaveUser } from "./saveUser";
import { type FormContext, initialValues, type SellerUserValues, sellerUserSchema } from "./sellerUserForm";
import { UserFields } from "./UserFields";

const words = usersStrings.userForm;

type Props = ModalContentProps<"USER_SELLER_VIEW">;

export default function SellerUserModal(props: Props) {
  const { business, businesses } = useSession();
  const { user } = props.payload;
  const staff = panel === "admin";
  // Fixed at the opening: the form sends the differences from this user.
  const [context] = useState<FormContext>(() =>
    staff ? { user } : { user, companies: businesses, current: user ? undefined : business?.id },
  );
  const saving = useSaveUser(context);
  const submit = async (values: SellerUserValues) => {
    const saved = await saving.save(values);
    if (saved) props.onConfirm(saved);
  };
  return (
    <FormModal
      title={user ? words.editTitle : words.createTitle}
      schema={sellerUserSchema(context)}
      initialValues={initialValues(context)}
      command={saving}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={user ? words.save : words.create}
    >
      {(form) =>
        staff ? <StaffFields form={form} context={context} /> : <OwnFields form={form} context={context} />
      }
    </FormModal>
  );
}

interface FieldsProps {
  form: Form<SellerUserValues>;
  context: FormContext;
}

function OwnFields({ form, context }: FieldsProps) {
  const { companies = [] } = context;
  const { role_id, businesses_ids } = form.getValues();
  const choices = companyChoices(context, role_id);
  const chooseGroup = (group: GroupChoice) => {
    const offered = companyChoices(context, group);
    form.setFieldValue("role_id", group);
    // Deselects new companies in which this group cannot be granted.
    form.setFieldValue(
      "businesses_ids",
      businesses_ids.filter((id) => offered.some((choice) => choice.id === id)),
    );
  };
  const someHidden = choices.length < companyChoices(context, "").length;
  return (
    <UserFields form={form} context={context} groups={groupsOffered(companies)} onGroup={chooseGroup}>
      <CompaniesField
        choices={choices}
        hint={someHidden ? words.groupNeedsOwner : undefined}
        {...form.getInputProps("businesses_ids")}
        value={businesses_ids}
      />
    </UserFields>
  );
}

/** A pause in typing, after which the companies are searched. */
const PAUSE_MS = 250;

function StaffFields({ form, context }: FieldsProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, PAUSE_MS);
  const found = useApi("/admin/businesses/list", { query: search ? { search } : {} });
  const [chosen, setChosen] = useState<readonly CompanyChoice[]>([]);
  const { businesses_ids } = form.getValues();
  const others = (found.data?.data ?? []).filter(({ id }) => !chosen.some((each) => each.id === id));
  // Chosen companies stay at the top during the next search.
  const choices = [...chosen, ...others];
  return (
    <UserFields
      form={form}
      context={context}
      groups={ALL_GROUPS}
      onGroup={(group) => form.setFieldValue("role_id", group)}
    >
      <CompaniesField
        choices={choices}
        onSearch={setText}
        {...form.getInputProps("businesses_ids")}
        value={businesses_ids}
        onChange={(ids) => {
          setChosen(choices.filter(({ id }) => ids.includes(id)));
          form.setFieldValue("businesses_ids", ids);
        }}
      />
    </UserFields>
  );
}
