// Fields with their label, hint and error. An invalid field is tied to its error for screen readers.
import type { FocusEvent, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from "react";
import { useMask } from "../src/components/forms/useMask";
import { useMoney } from "../src/components/forms/useMoney";
import type { Mask } from "../src/format/mask";
import { shownCents } from "../src/format/typedMoney";
import { words } from "./words";

interface Framed {
  /** The name of the field in `FieldErrors`. */
  field: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Shown inside the field, at its end. */
  mark?: ReactNode;
}

export type FieldEvent = FocusEvent<HTMLInputElement | HTMLSelectElement>;

/** The id of a field's input in the page. */
export const idOf = (field: string) => `field-${field.replaceAll(".", "-")}`;

/** The attributes that tie an input to its label and texts. */
function tied({ field, error, hint }: Framed) {
  const id = idOf(field);
  const texts = [error && `${id}-error`, hint && !error && `${id}-hint`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": texts || undefined } as const;
}

function Frame({ field, label, error, hint, mark, children }: Framed & { children: ReactNode }) {
  const id = idOf(field);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="box">
        {children}
        {mark}
      </div>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint && !error && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type Input = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "id">;

interface TextProps extends Framed, Input {
  value: string;
  onChange: (text: string) => void;
}

export function TextField({ field, label, error, hint, mark, value, onChange, ...input }: TextProps) {
  const frame = { field, label, error, hint, mark };
  return (
    <Frame {...frame}>
      <input
        {...input}
        {...tied(frame)}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Frame>
  );
}

interface MaskedProps extends TextProps {
  mask: Mask;
}

export function MaskedField({
  field,
  label,
  error,
  hint,
  mark,
  value,
  onChange,
  mask,
  ...input
}: MaskedProps) {
  const frame = { field, label, error, hint, mark };
  const masked = useMask(mask, value, onChange);
  return (
    <Frame {...frame}>
      <input inputMode="numeric" {...input} {...tied(frame)} {...masked} />
    </Frame>
  );
}

interface MoneyProps extends Framed, Input {
  value: number | undefined;
  onChange: (cents: number | undefined) => void;
}

export function MoneyField({ field, label, error, hint, value, onChange, ...input }: MoneyProps) {
  const { refused, hideError, typed } = useMoney(value, onChange);
  const frame = { field, label, hint, error: refused ? words.amount.notANumber : error };
  return (
    <Frame {...frame}>
      <input
        inputMode="numeric"
        autoComplete="off"
        placeholder={shownCents(0)}
        {...input}
        {...tied(frame)}
        {...typed}
        onBlur={(event) => {
          hideError();
          input.onBlur?.(event);
        }}
      />
    </Frame>
  );
}

interface SelectProps extends Framed, Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange" | "id"> {
  onChange: (value: string) => void;
}

export function SelectField({ field, label, error, hint, onChange, children, ...select }: SelectProps) {
  const frame = { field, label, error, hint };
  return (
    <Frame {...frame}>
      <select {...select} {...tied(frame)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {children}
      </select>
    </Frame>
  );
}
