// What staff say about a hold: the reason, the date, and the documents that the seller is asked to send.
import { Textarea, TextInput } from "@mantine/core";
import { ReasonField } from "../../components/forms/ReasonField";
import type { Form } from "../../components/forms/useValidatedForm";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { REASON_CHARS_MAX, type SaidValues } from "./holdForm";

const words = holdsStrings.place;

export function SaidFields<Values extends SaidValues>({ form }: { form: Form<Values> }) {
  return (
    <>
      <ReasonField
        label={words.reason}
        required
        maxLength={REASON_CHARS_MAX}
        {...form.getInputProps("reason")}
      />
      <TextInput
        type="date"
        label={words.until}
        description={words.untilHint}
        {...form.getInputProps("until")}
      />
      <Textarea
        label={words.documents}
        description={words.documentsHint}
        autosize
        minRows={2}
        {...form.getInputProps("documents")}
      />
    </>
  );
}
