// What a person's name, e-mail, password and CPF must be, in the words that every form of people refuses them with.
// Each says what is wrong, or nothing.
import * as z from "zod/mini";
import { strings } from "../strings/pt-BR";
import { isCpf } from "./cpf";

const words = strings.person;
const AN_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_LENGTH_MAX = 254;
const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 128;
/** A field stops there, so that no form needs words for more. */
export const NAME_LENGTH_MAX = 120;

type Fault = (text: string) => string | undefined;

export const nameFault: Fault = (name) => (name.trim() === "" ? words.nameRequired : undefined);

export const emailFault: Fault = (typed) => {
  const email = typed.trim();
  if (email === "") return words.emailRequired;
  return AN_EMAIL.test(email) && email.length <= EMAIL_LENGTH_MAX ? undefined : words.emailInvalid;
};

/** Counted in characters, and never trimmed: spaces are part of a password. */
export const passwordFault: Fault = (password) => {
  const { length } = [...password];
  if (length === 0) return words.passwordRequired;
  if (length < PASSWORD_LENGTH_MIN) return words.passwordShort;
  return length > PASSWORD_LENGTH_MAX ? words.passwordLong : undefined;
};

/** Left empty, the password stays as it is. */
export const optionalPasswordFault: Fault = (password) =>
  password === "" ? undefined : passwordFault(password);

export const cpfFault: Fault = (document) => {
  if (document.trim() === "") return words.cpfRequired;
  return isCpf(document) ? undefined : words.cpfInvalid;
};

/** A field of a form that is refused in the words of `fault`. */
export function text(fault: Fault) {
  return z.string().check((payload) => {
    const message = fault(payload.value);
    // It goes on: the form's other fields, and what it asks of several together, are judged in the same turn.
    if (message) {
      payload.issues.push({ code: "custom", message, input: payload.value, path: [], continue: true });
    }
  });
}
