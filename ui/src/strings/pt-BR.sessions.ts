// The words of login, a forgotten password, a confirmed address, and a denied page.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

export const sessionsStrings = {
  login: {
    title: "Entrar",
    seller: "Acesse sua conta",
    sellerHint: "Entre com seu e-mail e sua senha.",
    staff: "Acesso da equipe",
    staffHint: "Área restrita à equipe da plataforma.",
    email: "E-mail",
    password: "Senha",
    submit: "Entrar",
    forgot: "Esqueci minha senha",
    promo: "Cada venda, cada taxa, cada centavo.",
    promoPoints: [
      "Vendas da maquininha, dos links, do PIX e do boleto em um só lugar",
      "O valor líquido explicado taxa por taxa",
      "Recebimentos com data certa para entrar no saldo",
    ],
    staffPromo: "A operação inteira, até o último lançamento.",
  },
  forgot: {
    title: "Esqueci minha senha",
    hint: "Informe seu e-mail. Se ele estiver cadastrado, você receberá um link para criar uma nova senha.",
    submit: "Enviar link",
    back: "Voltar para o login",
    again: "Não recebeu? Confira a caixa de spam antes de pedir outro link.",
  },
  reset: {
    title: "Redefinir senha",
    hint: "Escolha uma nova senha. Todas as suas sessões abertas serão encerradas.",
    password: "Nova senha",
    repeat: "Repita a nova senha",
    submit: "Salvar nova senha",
    done: "Senha redefinida. Entre com a nova senha.",
    noToken: "Este link está incompleto. Abra-o de novo pelo e-mail ou peça outro.",
    askAgain: "Pedir um novo link",
  },
  verify: {
    title: "Confirmar e-mail",
    done: "E-mail confirmado",
    doneHint: (email: string) => `O e-mail ${email} foi confirmado e já pode ser usado para entrar.`,
    waits: (email: string, at: string) =>
      `O e-mail ${email} foi confirmado. Ele passa a valer em ${at}, ou antes, se a troca for confirmada pelo link enviado ao e-mail atual.`,
    waitsForNew: (email: string) =>
      `A troca foi confirmada. Ela passa a valer quando ${email} for confirmado pelo link enviado a esse e-mail.`,
    decide: "Troca de e-mail",
    decideHint:
      "Foi pedida a troca do e-mail do seu usuário. Confirme só se foi você, ou alguém a seu pedido. Se não foi, recuse: o e-mail atual continua valendo.",
    approve: "Confirmar troca",
    refuse: "Recusar troca",
    refused: "Troca recusada",
    refusedHint: "O e-mail continua o mesmo. Se você não pediu a troca, crie também uma nova senha.",
    newPassword: "Criar nova senha",
    failed: "Não foi possível confirmar o e-mail",
    noCode: "Este link está incompleto. Abra-o de novo pelo e-mail.",
    retryHint: {
      signedIn: "Peça um novo link em Minha conta.",
      signedOut: "Entre no painel e peça um novo link em Minha conta.",
    },
    home: "Ir para o painel",
    login: "Entrar",
    account: "Ir para Minha conta",
  },
  unauthorized: {
    title: "Acesso negado",
    text: (page: string | undefined, roles: string) =>
      `Seu perfil${roles && ` (${roles})`} não tem acesso ${page ? `à página ${page}` : "a esta página"}.`,
    business: (name: string) => ` em ${name}`,
    sellerHint:
      "Se precisar, peça acesso a um administrador da empresa ou escolha outra empresa no topo da tela.",
    staffHint: "Se precisar, peça acesso a um administrador da plataforma.",
    signedOut: "Entre com um usuário que tenha acesso.",
  },
} as const;
