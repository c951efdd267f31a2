// The words of a user's name, e-mail, password and CPF.
// Imported where they are needed, not through pt-BR.ts, which every page loads.

export const personStrings = {
  name: "Nome",
  someone: "Outra pessoa",
  email: "E-mail",
  showPassword: "Mostrar ou ocultar a senha",
  nameRequired: "Nome é requerido.",
  nameTooLong: "O nome deve ter até 120 caracteres.",
  emailRequired: "Email é requerido.",
  emailInvalid: "Email inválido.",
  passwordRequired: "Senha é requerida.",
  passwordTooShort: "A senha deve ter pelo menos 8 caracteres",
  passwordTooLong: "A senha deve ter até 128 caracteres",
  passwordHint: "De 8 a 128 caracteres.",
  cpfRequired: "CPF é requerido.",
  cpfInvalid: "CPF inválido.",
  passwordsDiffer: "As senhas não conferem.",
  verified: "Confirmado",
  notVerified: "Não confirmado",
} as const;
