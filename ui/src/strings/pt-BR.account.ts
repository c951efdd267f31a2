// The words of the signed-in user's account.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

export const accountStrings = {
  account: {
    title: "Minha conta",
    hint: "Seus dados, sua senha e seus dispositivos conectados.",
    save: "Salvar",
    saved: "Alterações salvas.",
    profile: "Seus dados",
    emailTitle: "E-mail",
    emailHint: "Usado para entrar no painel e receber nossas mensagens.",
    pending: (email: string) =>
      `A troca para ${email} aguarda confirmação. Até lá, o e-mail atual continua valendo.`,
    requestVerification: "Reenviar confirmação",
    verificationSent: (email: string) => `Enviamos um link de confirmação para ${email}.`,
    changeEmail: "Trocar e-mail",
    changeEmailHint:
      "Vamos enviar um link para o novo e-mail. A troca só é feita depois que você confirmar por esse link.",
    newEmail: "Novo e-mail",
    yourPassword: "Sua senha",
    sendLink: "Enviar link",
    passwordTitle: "Senha",
    passwordNote: "Ao alterar a senha, seus outros dispositivos são desconectados.",
    currentPassword: "Senha atual",
    newPassword: "Nova senha",
    repeatPassword: "Repita a nova senha",
    changePassword: "Alterar senha",
    passwordChanged: "Senha alterada. Seus outros dispositivos foram desconectados.",
    preferences: "Preferências",
    theme: "Tema",
    themes: { light: "Claro", dark: "Escuro" },
    timeZone: "Fuso horário das datas",
  },
  sessions: {
    title: "Dispositivos conectados",
    hint: "Dispositivos em que você está conectado. Não reconhece algum? Encerre a sessão e altere sua senha.",
    list: "Sessões abertas",
    current: "esta sessão",
    since: "Entrou em",
    lastUse: "Último acesso em",
    address: "Endereço IP",
    end: "Encerrar",
    endOf: (device: string) => `Encerrar a sessão: ${device}`,
    endTitle: "Encerrar esta sessão?",
    endHint: (device: string) =>
      `Será preciso entrar de novo com e-mail e senha neste dispositivo: ${device}.`,
    leaveHint: "Esta é a sua sessão atual: você sairá do painel.",
    ended: "Sessão encerrada.",
    endOthers: "Encerrar todas as outras",
    endOthersTitle: "Encerrar todas as outras sessões?",
    endOthersHint:
      "Apenas esta sessão continua aberta. Nos outros dispositivos, será preciso entrar de novo.",
    endedOthers: "As outras sessões foram encerradas.",
    onlyThis: "Nenhuma outra sessão está aberta.",
    device: (browser: string, system: string) => `${browser} no ${system}`,
    unknownDevice: "Dispositivo desconhecido",
  },
} as const;
