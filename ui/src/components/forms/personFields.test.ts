// The messages of a user's fields.
import { expect, it } from "vitest";
import * as z from "zod/mini";
import {
  emailField,
  nameField,
  newPasswordField,
  optionalPasswordField,
  passwordField,
  passwordPair,
  repeats,
} from "./personFields";

const messages = (schema: z.ZodMiniType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

it.each([
  [nameField, "", "Nome é requerido."],
  [nameField, "   ", "Nome é requerido."],
  [nameField, "n".repeat(121), "O nome deve ter até 120 caracteres."],
  [emailField, "", "Email é requerido."],
  [emailField, "ana@padaria", "Email inválido."],
  [emailField, "ana padaria@exemplo.com", "Email inválido."],
  [passwordField, "", "Senha é requerida."],
  [newPasswordField, "", "Senha é requerida."],
  [newPasswordField, "1234567", "A senha deve ter pelo menos 8 caracteres"],
  [newPasswordField, "a".repeat(129), "A senha deve ter até 128 caracteres"],
  [optionalPasswordField, "1234567", "A senha deve ter pelo menos 8 caracteres"],
] as const)("refuses %#: $1", (schema, value, message) => expect(messages(schema, value)).toEqual([message]));

it("counts characters, and never trims a password", () => {
  expect(messages(newPasswordField, "        ")).toEqual([]);
  expect(messages(newPasswordField, "😀".repeat(8))).toEqual([]);
  expect(messages(newPasswordField, "😀".repeat(7))).toHaveLength(1);
  expect(messages(newPasswordField, "😀".repeat(128))).toEqual([]);
});

it("trims an e-mail", () => expect(messages(emailField, " ana@padaria.example ")).toEqual([]));

it("lets the password of an existing user be empty", () => {
  expect(messages(optionalPasswordField, "")).toEqual([]);
});

it("reports all errors of a pair of passwords at once", () => {
  const issues = passwordPair.safeParse({ password: "curta", repeated: "outra" }).error?.issues;
  expect(issues?.map(({ path, message }) => [path.join(), message])).toEqual([
    ["password", "A senha deve ter pelo menos 8 caracteres"],
    ["repeated", "As senhas não conferem."],
  ]);
  expect(passwordPair.safeParse({ password: "demonstracao-1", repeated: "demonstracao-1" }).success).toBe(
    true,
  );
});

it("compares with the given field", () => {
  const schema = z.object({ fresh: z.string(), repeated: z.string() }).check(repeats("fresh"));
  expect(messages(schema, { fresh: "a", repeated: "b" })).toEqual(["As senhas não conferem."]);
});
