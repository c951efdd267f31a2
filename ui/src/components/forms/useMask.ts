// The handlers of a field that formats its text while it is typed. Its value has no mask: "01310100" for "01310-100".
import { type ChangeEvent, useLayoutEffect, useRef } from "react";
import type { Mask } from "../../format/mask";
import { caretAfter, editOf } from "../../format/masks";

export function useMask(mask: Mask, value: string, onChange: (clean: string) => void) {
  const ref = useRef<HTMLInputElement>(null);
  // The number of unmasked characters before the caret. Set from a change until the next render.
  const charsBeforeCaret = useRef<number | null>(null);
  const shown = mask.show(value);

  // Setting the text moves the caret to the end; this returns it to its place.
  useLayoutEffect(() => {
    if (charsBeforeCaret.current === null) return;
    const caret = caretAfter(mask, shown, charsBeforeCaret.current);
    ref.current?.setSelectionRange(caret, caret);
    charsBeforeCaret.current = null;
  });

  return {
    ref,
    value: shown,
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      const { value: text, selectionStart } = currentTarget;
      const { inputType } = nativeEvent as InputEvent;
      const edit = editOf(mask, shown, { text, caret: selectionStart ?? text.length, inputType });
      charsBeforeCaret.current = edit.charsBefore;
      onChange(edit.clean);
    },
  };
}
