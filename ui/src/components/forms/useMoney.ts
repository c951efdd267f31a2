// The handlers of an amount that is typed from the cents up. The value is integer cents, or undefined while the field
// is empty.
import { type ChangeEvent, type SyntheticEvent, useState } from "react";
import { shownCents, typedMoney } from "../../format/typedMoney";

/** Digits enter only at the right end, so the caret stays there. */
function caretToEnd({ currentTarget: field }: SyntheticEvent<HTMLInputElement>) {
  const end = field.value.length;
  if (field.selectionStart === field.selectionEnd && field.selectionEnd !== end) {
    field.setSelectionRange(end, end);
  }
}

/** Whether the last change was pasted, not typed. */
const isPasted = ({ inputType }: InputEvent) => /^insertFrom(Paste|Drop)$/.test(inputType);

export function useMoney(value: number | undefined, onChange?: (cents: number | undefined) => void) {
  // The error is shown until the next key, or until the field is left or sent. Then the last amount counts.
  const [refused, setRefused] = useState(false);
  return {
    /** Whether the last text was not an amount. */
    refused,
    hideError: () => setRefused(false),
    typed: {
      value: shownCents(value),
      onChange: ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
        const pasted = isPasted(nativeEvent as InputEvent);
        const typed = typedMoney(currentTarget.value, value, pasted);
        setRefused(!typed.numeric);
        if (typed.numeric) onChange?.(typed.cents);
      },
      onSelect: caretToEnd,
    },
  };
}
