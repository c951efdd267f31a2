// A password with a button that shows it.
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { personStrings } from "../../strings/pt-BR.person";

const TOGGLE = { "aria-label": personStrings.showPassword };

export function PasswordField(props: PasswordInputProps) {
  // Mantine does not mark an invalid password for screen readers.
  return (
    <PasswordInput
      visibilityToggleButtonProps={TOGGLE}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
