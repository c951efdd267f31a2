// The fields of a payment link.
import { Checkbox, Input, SegmentedControl, Select, TextInput } from "@mantine/core";
import { DateInput } from "../../components/forms/MaskedInput";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import shared from "../../components/Shared.module.css";
import { linksStrings } from "../../strings/pt-BR.links";
import styles from "./Links.module.css";
import { DESCRIPTION_CHARS_MAX, INSTALLMENTS_MAX, type LinkValues } from "./linkValues";

const words = linksStrings.form;
const options = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([value, label]) => ({ value, label }));
const INSTALLMENTS = Array.from({ length: INSTALLMENTS_MAX }, (_, index) => ({
  value: String(index + 1),
  label: words.installmentsUpTo(index + 1),
}));

export function LinkFields({ form }: { form: Form<LinkValues> }) {
  const { kind, payer, payment_types } = form.values;
  return (
    <>
      <TextInput
        label={words.description}
        description={words.descriptionHint}
        maxLength={DESCRIPTION_CHARS_MAX}
        autoComplete="off"
        {...form.getInputProps("description")}
      />
      <Input.Wrapper label={words.kind} description={words.kindHint} labelElement="div">
        <SegmentedControl
          mt={6}
          fullWidth
          aria-label={words.kind}
          data={options(words.kinds)}
          {...form.getInputProps("kind")}
        />
      </Input.Wrapper>
      {kind === "fixed" ? (
        <MoneyInput
          label={payer === "buyer" ? words.amountBuyer : words.amount}
          {...form.getInputProps("amount")}
        />
      ) : (
        <div className={styles.pair}>
          <MoneyInput
            label={words.amountMin}
            description={words.optional}
            {...form.getInputProps("amount_min")}
          />
          <MoneyInput
            label={words.amountMax}
            description={words.optional}
            {...form.getInputProps("amount_max")}
          />
        </div>
      )}
      <Checkbox.Group label={words.paymentTypes} {...form.getInputProps("payment_types")}>
        <div className={styles.checks}>
          {options(linksStrings.paymentTypes).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={styles.pair}>
        {payment_types.includes("credit") && (
          <Select
            label={words.installmentsMax}
            data={INSTALLMENTS}
            {...form.getInputProps("installments_max")}
          />
        )}
        <Select label={words.payer} data={options(linksStrings.payers)} {...form.getInputProps("payer")} />
      </div>
      <p className={shared.note}>{words.payerHints[payer]}</p>
      <div className={styles.pair}>
        <DateInput
          label={words.expiresOn}
          description={words.expiresOnHint}
          placeholder="DD/MM/AAAA"
          value={form.values.expires_on}
          {...form.getInputProps("expires_on")}
        />
        <TextInput
          label={words.useLimit}
          description={words.useLimitHint}
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps("use_limit")}
        />
      </div>
    </>
  );
}
