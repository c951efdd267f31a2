// The words of the ways in: login, a forgotten password, a confirmed address, and a page that is denied.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

export const sessionStrings = {
  login: {
    title: "Entrar",
    seller: "Acesse sua conta",
    sellerHint: "Use o e-mail e a senha da sua empresa.",
    staff: "Acesso da equipe",
    staffHint: "Área restrita à equipe da plataforma.",
    email: "E-mail",
    password: "Senha",
    submit: "Entrar",
    forgot: "Esqueci minha senha",
    pitch: "Cada venda, cada taxa, cada centavo.",
    pitchPoints: [
      "Vendas da maquininha, dos links, do Pix e do boleto em um só lugar",
      "O valor líquido explicado taxa por taxa",
      "Recebíveis com data certa para cair na conta",
    ],
    staffPitch: "A operação inteira, até o último lançamento.",
  },
  logout: { title: "Sair", leaving: "Saindo…" },
  forgot: {
    title: "Esqueci minha senha",
    hint: "Informe o seu e-mail. Se ele estiver cadastrado, você recebe um link para criar uma nova senha.",
    submit: "Enviar link",
    back: "Voltar para a entrada",
    again: "Não chegou? Veja também a caixa de spam antes de pedir outro.",
  },
  reset: {
    title: "Redefinir senha",
    hint: "Escolha uma nova senha. Todas as suas sessões abertas serão encerradas.",
    password: "Nova senha",
    repeat: "Repita a nova senha",
    submit: "Salvar nova senha",
    done: "Senha redefinida. Entre com a nova senha.",
    noToken: "Este link está incompleto. Abra-o de novo a partir do e-mail, ou peça um novo.",
    askAgain: "Pedir um novo link",
  },
  verify: {
    title: "Confirmar e-mail",
    waiting: "Confirmando o seu e-mail…",
    done: "E-mail confirmado",
    doneHint: (email: string) => `O endereço ${email} é seu e já vale para entrar.`,
    failed: "Não foi possível confirmar o e-mail",
    noCode: "Este link está incompleto. Abra-o de novo a partir do e-mail.",
    retryHint: "Em Minha conta você pede um novo link de confirmação.",
    home: "Ir para o painel",
    login: "Entrar",
    account: "Ir para Minha conta",
  },
  unauthorized: {
    title: "Acesso negado",
    why: (page: string | undefined, roles: string) =>
      `${page ? `A página ${page}` : "Esta página"} não é aberta ao seu perfil${roles && ` (${roles})`}.`,
    business: (name: string) => ` em ${name}`,
    sellerHint:
      "Se precisar dela, peça a quem administra a empresa, ou escolha outra empresa no topo da tela.",
    staffHint: "Se precisar dela, peça a um administrador da plataforma.",
    nobody: "Entre com um usuário que tenha acesso a ela.",
  },
} as const;
