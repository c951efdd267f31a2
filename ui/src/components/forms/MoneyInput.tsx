// An amount in reais, typed from the cents up. Its value is integer cents, or undefined while it is empty. Text that
// is not an amount is refused with a message.
import { TextInput, type TextInputProps } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { shownCents, typedMoney } from "../../format/typedMoney";
import { strings } from "../../strings/pt-BR";

interface MoneyInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  value?: number | undefined;
  onChange?: (cents: number | undefined) => void;
}

/** Digits enter only at the right end, so the caret stays there. */
function caretToEnd({ currentTarget: field }: SyntheticEvent<HTMLInputElement>) {
  const end = field.value.length;
  if (field.selectionStart === field.selectionEnd && field.selectionEnd !== end) {
    field.setSelectionRange(end, end);
  }
}

/** Whether the last change was pasted, not typed. */
const isPasted = ({ inputType }: InputEvent) => /^insertFrom(Paste|Drop)$/.test(inputType);

export function MoneyInput({ value, onChange, error, onBlur, onKeyDown, ...field }: MoneyInputProps) {
  // Shown until the next key, or until the field is left or sent; then the visible amount counts.
  const [refused, setRefused] = useState(false);
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={shownCents(0)}
      {...field}
      error={refused ? strings.form.notANumber : error}
      value={shownCents(value)}
      onChange={({ currentTarget, nativeEvent }) => {
        const pasted = isPasted(nativeEvent as InputEvent);
        const typed = typedMoney(currentTarget.value, value, pasted);
        setRefused(!typed.numeric);
        if (typed.numeric) onChange?.(typed.cents);
      }}
      onBlur={(event) => {
        setRefused(false);
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") setRefused(false);
        onKeyDown?.(event);
      }}
      onSelect={caretToEnd}
    />
  );
}
