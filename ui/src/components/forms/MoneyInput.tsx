// An amount in reais, typed from the cents up. Its value is integer cents, or undefined while it is empty.
import { TextInput, type TextInputProps } from "@mantine/core";
import type { SyntheticEvent } from "react";
import { shownCents, typedCents } from "../../format/typedMoney";

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

export function MoneyInput({ value, onChange, max, ...field }: MoneyInputProps) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={shownCents(0)}
      {...field}
      value={shownCents(value)}
      onChange={({ currentTarget }) => onChange?.(typedCents(currentTarget.value, value, max))}
      onSelect={caretToEnd}
    />
  );
}
