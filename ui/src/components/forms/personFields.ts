// What is asked of a person's name, address and password, wherever they are typed. The gateway asks the same.
import * as z from "zod/mini";
import { isCpf } from "../../format/cpf";
import { personStrings } from "../../strings/pt-BR.person";

const words = personStrings;
const NAME_CHARS_MAX = 120;
const PASSWORD_CHARS_MIN = 8;
const PASSWORD_CHARS_MAX = 128;

/** Characters as people count them: an accent or an emoji is one, whatever it takes in memory. */
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

/** A password that exists already: only that there is one. */
export const passwordField = z.string().check(z.minLength(1, words.passwordRequired));

const fits = z.refine<string>(
  (password) => password === "" || chars(password.normalize("NFC")) >= PASSWORD_CHARS_MIN,
  words.passwordTooShort,
);
const fitsToo = z.refine<string>(
  (password) => chars(password.normalize("NFC")) <= PASSWORD_CHARS_MAX,
  words.passwordTooLong,
);

/** Never trimmed: its blanks are part of it. */
export const newPasswordField = z.string().check(z.minLength(1, words.passwordRequired), fits, fitsToo);

/** That `repeated` is what was typed in `field`: against a slip of the finger. */
export function repeats<Field extends string>(field: Field) {
  return z.refine<Record<Field | "repeated", string>>((typed) => typed[field] === typed.repeated, {
    error: words.passwordsDiffer,
    path: ["repeated"],
    // Beside other faults too: all are told at once.
    when: () => true,
  });
}

export const twicePassword = z
  .object({ password: newPasswordField, repeated: z.string() })
  .check(repeats("password"));

/** Of somebody who has one already and keeps it where none is typed. */
export const otherPasswordField = z.string().check(fits, fitsToo);

/** With or without its punctuation. */
export const cpfField = z.string().check(
  z.minLength(1, words.cpfRequired),
  z.refine((document) => document === "" || isCpf(document), words.cpfInvalid),
);
