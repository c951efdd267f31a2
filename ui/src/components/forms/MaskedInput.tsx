// Fields that format their text while it is typed. The value is bare: "01310100", shown as "01310-100".
import { TextInput, type TextInputProps } from "@mantine/core";
import type { Mask } from "../../format/mask";
import { masks } from "../../format/masks";
import { useMask } from "./useMask";

interface MaskedInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  mask: Mask;
  value: string;
  onChange: (bare: string) => void;
}

export function MaskedInput({ mask, value, onChange, ...field }: MaskedInputProps) {
  const masked = useMask(mask, value, onChange);
  return <TextInput inputMode="numeric" autoComplete="off" {...field} {...masked} />;
}

type FieldProps = Omit<MaskedInputProps, "mask">;

export const CpfInput = (props: FieldProps) => <MaskedInput mask={masks.cpf} {...props} />;

/** A CPF or a CNPJ, with or without letters, recognized while it is typed. */
export const TaxIdInput = (props: FieldProps) => (
  <MaskedInput mask={masks.taxId} inputMode="text" autoCapitalize="characters" {...props} />
);

export const PostalCodeInput = (props: FieldProps) => (
  <MaskedInput mask={masks.postalCode} autoComplete="postal-code" {...props} />
);

export const DateInput = (props: FieldProps) => <MaskedInput mask={masks.date} {...props} />;

/** A date and a time. An instant that was copied from a list can be pasted. */
export const InstantInput = (props: FieldProps) => <MaskedInput mask={masks.instant} {...props} />;

export const PhoneInput = (props: FieldProps) => (
  <MaskedInput mask={masks.phone} inputMode="tel" autoComplete="tel-national" {...props} />
);
