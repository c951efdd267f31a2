import { expect, it } from "vitest";
import { cpfFault, emailFault, nameFault, optionalPasswordFault, passwordFault, text } from "./person";

it.each([
  [nameFault, "", "Nome é requerido."],
  [nameFault, "   ", "Nome é requerido."],
  [nameFault, "Nina", undefined],
  [emailFault, "", "Email é requerido."],
  [emailFault, "  ", "Email é requerido."],
  [emailFault, "nina", "Email inválido."],
  [emailFault, "nina@exemplo", "Email inválido."],
  [emailFault, "nina castro@exemplo.com.br", "Email inválido."],
  [emailFault, `${"n".repeat(243)}@exemplo.com`, "Email inválido."],
  [emailFault, " nina@exemplo.com.br ", undefined],
  [passwordFault, "", "Senha é requerida."],
  [passwordFault, "1234567", "A senha deve ter pelo menos 8 caracteres"],
  [passwordFault, "12345678", undefined],
  [passwordFault, "        ", undefined],
  [passwordFault, "a".repeat(128), undefined],
  [passwordFault, "a".repeat(129), "A senha deve ter até 128 caracteres"],
  // A character outside the basic plane is one, though two units of a string.
  [passwordFault, "🔑".repeat(7), "A senha deve ter pelo menos 8 caracteres"],
  [passwordFault, "🔑".repeat(128), undefined],
  [optionalPasswordFault, "", undefined],
  [optionalPasswordFault, "1234567", "A senha deve ter pelo menos 8 caracteres"],
  [cpfFault, "", "CPF é requerido."],
  [cpfFault, "351", "CPF inválido."],
  [cpfFault, "35162478947", "CPF inválido."],
  [cpfFault, "12345678909", "CPF inválido."],
  [cpfFault, "35162478946", undefined],
])("%o of '%s' says %s", (fault, typed, message) => {
  expect(fault(typed)).toBe(message);
  expect(text(fault).safeParse(typed).error?.issues[0]?.message).toBe(message);
});
