// An amount in reais, typed from the cents up. Its value is integer cents, or undefined while it is empty. What is no
// amount is not taken, and the field says so.
import { TextInput, type TextInputProps } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { shownCents, typedMoney } from "../../format/typedMoney";
import { strings } from "../../strings/pt-BR";

interface MoneyInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange" | "max"> {
  value?: number | undefined;
  onChange?: (cents: number | undefined) => void;
  /** An amount above it is not taken: the one before stays. */
  max?: number;
}

/** Digits enter at the right end only, so that is where the caret stays. */
function caretToEnd({ currentTarget: field }: SyntheticEvent<HTMLInputElement>) {
  const end = field.value.length;
  if (field.selectionStart === field.selectionEnd && field.selectionEnd !== end) {
    field.setSelectionRange(end, end);
  }
}

export function MoneyInput({ value, onChange, max, error, ...field }: MoneyInputProps) {
  const [refused, setRefused] = useState(false);
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={shownCents(0)}
      {...field}
      error={refused ? strings.form.notANumber : error}
      value={shownCents(value)}
      onChange={({ currentTarget }) => {
        const typed = typedMoney(currentTarget.value, value, max);
        setRefused(!typed.numeric);
        if (typed.numeric) onChange?.(typed.cents);
      }}
      onSelect={caretToEnd}
    />
  );
}
