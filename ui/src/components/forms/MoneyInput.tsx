// An amount in reais, typed from the cents up. Its value is integer cents, or undefined while it is empty. Text that
// is not an amount is refused with a message.
import { TextInput, type TextInputProps } from "@mantine/core";
import { shownCents } from "../../format/typedMoney";
import { strings } from "../../strings/pt-BR";
import { useMoney } from "./useMoney";

interface MoneyInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  value?: number | undefined;
  onChange?: (cents: number | undefined) => void;
}

export function MoneyInput({ value, onChange, error, onBlur, onKeyDown, ...field }: MoneyInputProps) {
  const { refused, hideError, typed } = useMoney(value, onChange);
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={shownCents(0)}
      {...field}
      {...typed}
      error={refused ? strings.form.notANumber : error}
      onBlur={(event) => {
        hideError();
        onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") hideError();
        onKeyDown?.(event);
      }}
    />
  );
}
