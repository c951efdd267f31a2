// Adds a local holiday. The effects of the typed date are shown before it is saved.
import { TextInput } from "@mantine/core";
import { succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import type { HolidayPreview } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { FormModal } from "../../components/forms/FormModal";
import { DateInput } from "../../components/forms/MaskedInput";
import type { Form } from "../../components/forms/useValidatedForm";
import { businessDateInWords, dateOfTyped } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { holidaysStrings as words } from "../../strings/pt-BR.holidays";
import styles from "./Holidays.module.css";
import { type HolidayValues, holidaySchema, NAME_CHARS_MAX, NEW_HOLIDAY } from "./holiday";

interface HolidayModalProps {
  onClose: () => void;
  onDone: (date: string, name: string) => void;
}

export function HolidayModal({ onClose, onDone }: HolidayModalProps) {
  const add = useCommand("POST /admin/holidays", {
    refreshes: ["/admin/holidays", "/admin/holidays/history", "/admin/holidays/preview"],
  });
  const submit = async (values: HolidayValues) => {
    const body = { date: dateOfTyped(values.date) ?? "", name: values.name.trim() };
    const done = await succeeds(add.run({ body }));
    if (done) onDone(body.date, body.name);
  };
  return (
    <FormModal
      title={words.addTitle}
      schema={holidaySchema(businessNow())}
      initialValues={NEW_HOLIDAY}
      command={add}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.submit}
    >
      {(form) => <Fields form={form} />}
    </FormModal>
  );
}

function Fields({ form }: { form: Form<HolidayValues> }) {
  const date = dateOfTyped(form.values.date);
  const { data: preview } = useApi(date ? "/admin/holidays/preview" : null, { query: { date: date ?? "" } });
  return (
    <>
      <DateInput
        label={words.date}
        placeholder="DD/MM/AAAA"
        value={form.values.date}
        data-autofocus
        {...form.getInputProps("date")}
      />
      <TextInput
        label={words.name}
        description={words.nameHint}
        maxLength={NAME_CHARS_MAX}
        autoComplete="off"
        {...form.getInputProps("name")}
      />
      <section className={styles.effects} aria-label={words.effects} aria-live="polite">
        {date && preview?.date === date && effectsOf(preview).map((effect) => <p key={effect}>{effect}</p>)}
      </section>
    </>
  );
}

function effectsOf(preview: HolidayPreview): string[] {
  const { holiday, promised } = preview;
  if (holiday) return [words.isHoliday(holiday.name)];
  if (!preview.is_business_day) return [words.isWeekend];
  return [
    promised.count === 0
      ? words.nothingPromised
      : words.promised(promised.count, wholeNumber(promised.count), money(promised.amount)),
    words.movedTo(businessDateInWords(preview.moved_to)),
  ];
}
