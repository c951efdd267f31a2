// Changes a rule. The change replaces a scheduled one.
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { useApi, useCommand } from "../../api/hooks";
import type { PlatformSetting } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { SegmentedField } from "../../components/forms/SegmentedField";
import type { Form } from "../../components/forms/useValidatedForm";
import rows from "../../components/SettingRows.module.css";
import shared from "../../components/Shared.module.css";
import { BUSINESS_ZONE, businessDate, businessToday, dateIn } from "../../format/dates";
import { rulesStrings as words } from "../../strings/pt-BR.rules";
import {
  DOCUMENTS,
  type RuleKey,
  type RuleValues,
  ruleBody,
  ruleSchema,
  ruleShift,
  ruleValues,
  valueField,
} from "./rules";

interface RuleModalProps {
  setting: PlatformSetting;
  onClose: () => void;
  onDone: (message: string) => void;
}

const dayOf = (instant: string) => dateIn(BUSINESS_ZONE, new Date(instant));

export function RuleModal({ setting, onClose, onDone }: RuleModalProps) {
  const save = useCommand("POST /admin/settings/platform", {
    refreshes: ["/admin/settings/platform", "/admin/settings/platform/history"],
  });
  const { key } = setting;
  const name = words.names[key];
  const [sent, setSent] = useState<RuleValues>();
  // The gateway's `value` is one of several fields of the form.
  const failure = useMemo(
    () =>
      sent && save.failure?.withFieldNames((field) => (field === "value" ? valueField(key, sent) : field)),
    [save.failure, key, sent],
  );
  const submit = async (values: RuleValues) => {
    setSent(values);
    const saved = await save.run({ body: ruleBody(setting, values) }).catch(() => undefined);
    if (!saved) return;
    // If fewer decisions need two people, a change without a date starts on the next business day.
    const later = saved.scheduled?.valid_from;
    onDone(later ? words.scheduled(name, businessDate(dayOf(later))) : words.saved(name));
  };
  return (
    <FormModal
      title={name}
      schema={ruleSchema(key, businessToday(businessNow()))}
      initialValues={ruleValues(setting, dayOf)}
      command={{ ...save, failure: failure }}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.save}
    >
      {(form) => (
        <>
          <p className={shared.note}>{words.rules[key].hint}</p>
          <ValueField form={form} rule={key} />
          <TwoPersonWarning shift={ruleShift(setting, form.values)} />
          <Starts form={form} scheduledFrom={setting.scheduled?.valid_from} />
        </>
      )}
    </FormModal>
  );
}

/** Warns if fewer decisions would need two people, or if more would but only one user may decide. */
function TwoPersonWarning({ shift }: { shift: ReturnType<typeof ruleShift> }) {
  const deciders = useApi(
    shift === "tighter" ? "/admin/users" : null,
    shift === "tighter" ? { query: { roles: "owner,admin", active: 1, perPage: 1 } } : undefined,
  );
  if (shift === "looser") return <p className={rows.warning}>{words.loosened}</p>;
  return deciders.data?.meta.total === 1 ? <p className={rows.warning}>{words.alone}</p> : null;
}

function ValueField({ form, rule }: { form: Form<RuleValues>; rule: RuleKey }) {
  const label = words.rules[rule].field;
  switch (rule) {
    case "terminal_rental":
      return <MoneyInput label={label} required data-autofocus {...form.getInputProps("amount")} />;
    case "two_approvals_above":
    case "credits_alone_up_to":
    case "removals_alone_up_to":
    case "releases_alone_up_to":
    case "plan_exceptions_alone_up_to":
      return (
        <>
          <SegmentedField
            label={words.limitTexts[rule].question}
            options={words.limitTexts[rule].choices}
            {...form.getInputProps("limit")}
          />
          {form.values.limit === "above" && (
            <MoneyInput label={label} required {...form.getInputProps("amount")} />
          )}
        </>
      );
    case "two_person_plan_changes":
    case "two_person_company_approvals":
    case "returned_withdrawal_fee":
      return (
        <SegmentedField
          label={label}
          options={{ true: words.yes, false: words.no }}
          {...form.getInputProps("flag")}
        />
      );
    case "documents_of_pf":
    case "documents_of_pj":
      return (
        <Checkbox.Group label={label} {...form.getInputProps("documents")}>
          <Stack gap="xs" mt="xs">
            {DOCUMENTS[rule].map((kind) => (
              <Checkbox key={kind} value={kind} label={words.documents[kind]} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case "marked_destination_days":
    case "buyer_data_days":
      return (
        <TextInput
          label={label}
          inputMode="numeric"
          required
          data-autofocus
          {...form.getInputProps("days")}
        />
      );
  }
}

interface StartsProps {
  form: Form<RuleValues>;
  scheduledFrom: string | undefined;
}

function Starts({ form, scheduledFrom }: StartsProps) {
  const options = { now: words.startsNow, later: words.startsLater };
  return (
    <>
      <SegmentedField label={words.starts} options={options} {...form.getInputProps("starts")} />
      {form.values.starts === "later" && (
        <TextInput type="date" label={words.validFrom} required {...form.getInputProps("valid_from")} />
      )}
      {scheduledFrom && <p className={rows.warning}>{words.replaces(businessDate(dayOf(scheduledFrom)))}</p>}
    </>
  );
}
