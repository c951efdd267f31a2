// The words of the signed-in user's account.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

import { Theme } from "../api/words.json";

export const accountStrings = {
  provisionalPassword: {
    title: "Sua senha é provisória",
    text: "Ela foi definida por outra pessoa. Até você criar a sua, não é possível movimentar dinheiro nem alterar contas bancárias, usuários ou endereços.",
    how: (email: string) => `Crie a sua pelo link que enviamos para ${email}.`,
    from: (email: string, at: string) =>
      `O e-mail ${email} é recente: a partir de ${at}, peça um link por aqui e crie a sua senha.`,
    send: "Enviar link",
    sent: (email: string) => `Enviamos um link para ${email}. Ele vale por 1 hora.`,
  },
  account: {
    title: "Minha conta",
    hint: "Seus dados, sua senha e seus dispositivos conectados.",
    save: "Salvar",
    saved: "Alterações salvas.",
    profile: "Seus dados",
    emailTitle: "E-mail",
    emailHint: "Usado para entrar no painel e receber nossas mensagens.",
    pending: (email: string) =>
      `A troca para ${email} aguarda confirmação pelo link enviado a esse e-mail. Até lá, o e-mail atual continua valendo.`,
    pendingUntil: (email: string, at: string) =>
      `A troca para ${email} vale a partir de ${at}, ou antes, se você a confirmar pelo link enviado ao e-mail atual. Até lá, o e-mail atual continua valendo.`,
    requestVerification: "Reenviar confirmação",
    verificationSent: (email: string) => `Enviamos um link de confirmação para ${email}.`,
    changeEmail: "Trocar e-mail",
    changeEmailHint:
      "Vamos enviar um link a cada e-mail. A troca é feita quando você confirmar pelos dois. Sem o e-mail atual, confirme pelo novo e aguarde 48 horas.",
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
    themes: Theme,
    timeZone: "Fuso horário das datas",
    paidLinkEmails: "Avisar por e-mail quando um link for pago",
    paidLinkEmailsHint: "Um e-mail a cada venda por link das suas empresas.",
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
