// The validation of a user's name, e-mail, password and CPF. The gateway checks again.
import * as z from "zod/mini";
import { isCpf } from "../../format/cpf";
import { personStrings } from "../../strings/pt-BR.person";

const words = personStrings;
const NAME_CHARS_MAX = 120;
const PASSWORD_CHARS_MIN = 8;
const PASSWORD_CHARS_MAX = 128;

/** Counts Unicode code points, as the gateway does, and not UTF-16 units. */
const chars = (text: string) => [...text].length;

export const nameField = z.string().check(
  z.trim(),
  z.minLength(1, words.nameRequired),
  z.refine((name) => chars(name) <= NAME_CHARS_MAX, words.nameTooLong),
);

export const emailField = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, words.emailRequired),
    z.regex(/^(|[^\s@]+@[^\s@]+\.[^\s@]+)$/, words.emailInvalid),
  );

/** An existing password: it must only be present. */
export const passwordField = z.string().check(z.minLength(1, words.passwordRequired));

/** An empty password passes: `newPasswordField` has its own message for it. */
const longEnough = z.refine<string>(
  (password) => password === "" || chars(password.normalize("NFC")) >= PASSWORD_CHARS_MIN,
  words.passwordTooShort,
);
const shortEnough = z.refine<string>(
  (password) => chars(password.normalize("NFC")) <= PASSWORD_CHARS_MAX,
  words.passwordTooLong,
);

/** Never trimmed: spaces are part of a password. */
export const newPasswordField = z
  .string()
  .check(z.minLength(1, words.passwordRequired), longEnough, shortEnough);

/** `repeated` must equal `field`. */
export function repeats<Field extends string>(field: Field) {
  return z.refine<Record<Field | "repeated", string>>((typed) => typed[field] === typed.repeated, {
    error: words.passwordsDiffer,
    path: ["repeated"],
    // Also checked if other fields fail, so that all errors appear at once.
    when: () => true,
  });
}

export const passwordPair = z
  .object({ password: newPasswordField, repeated: z.string() })
  .check(repeats("password"));

/** For an existing user: if no password is typed, the existing one stays. */
export const optionalPasswordField = z.string().check(longEnough, shortEnough);

/** With or without punctuation. */
export const cpfField = z.string().check(
  z.minLength(1, words.cpfRequired),
  z.refine((document) => document === "" || isCpf(document), words.cpfInvalid),
);
