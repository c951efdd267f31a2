// The name of the signed-in user.
import { TextInput } from "@mantine/core";
import * as z from "zod/mini";
import { accountCalls, ME } from "../../api/accountCalls";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { PageForm } from "../../components/forms/PageForm";
import { nameField } from "../../components/forms/personFields";
import { Panel } from "../../components/Panel";
import { accountStrings } from "../../strings/pt-BR.account";
import { personStrings } from "../../strings/pt-BR.person";

const words = accountStrings.account;
const schema = z.object({ name: nameField });

interface ProfilePanelProps {
  name: string;
  onDone: (message: string) => void;
}

export function ProfilePanel({ name, onDone }: ProfilePanelProps) {
  const change = useCommand(accountCalls.changeMe, { refreshes: [ME] });
  const submit = async (values: { name: string }) => {
    const done = await succeeds(change.run({ body: { name: values.name.trim() } }));
    if (done) onDone(words.saved);
    // True would reset the form to the name that it began with.
    return false;
  };
  return (
    <Panel title={words.profile}>
      <PageForm
        label={words.profile}
        schema={schema}
        initialValues={{ name }}
        command={change}
        onSubmit={submit}
        submitLabel={words.save}
      >
        {(form) => (
          <TextInput label={personStrings.name} autoComplete="name" {...form.getInputProps("name")} />
        )}
      </PageForm>
    </Panel>
  );
}
