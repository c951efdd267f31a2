// The words of the verified history. Read by the pages that need them, not through pt-BR.ts, which every page loads.
import { AccountName } from "../api/words.json";
import type { RefusalCode } from "../proofs/refusal";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

/** Why a file is refused. A browser that cannot check has its own title. */
const refusals: Record<RefusalCode, string> = {
  no_ed25519:
    "Este navegador não sabe conferir assinaturas Ed25519. Atualize o navegador ou use outro, e tente de novo.",
  witness_key: "A chave de uma testemunha está mal configurada. Fale com o suporte.",
  form: "O arquivo não tem o formato de um comprovante, ou foi alterado.",
  unknown_key: "O arquivo foi assinado com uma chave que não é da plataforma.",
  signature: "A assinatura da plataforma não corresponde ao ponto de verificação.",
  cosignature: "A assinatura de uma testemunha não corresponde ao ponto de verificação.",
  other_shard: "A empresa do arquivo não pertence a este registro.",
  order: "Falta um evento, ou os eventos estão fora de ordem.",
  other_sale: "Um evento do arquivo é de outra venda.",
  not_in_log: "Um evento não está no registro, ou foi alterado.",
  unknown_event: "O arquivo tem um tipo de evento desconhecido. Ele pode ser de uma versão mais nova.",
  other_events: "Os eventos não são todos os da empresa, ou algum foi alterado.",
  accounts: "Os saldos do arquivo não são os que os eventos dão.",
  period: "Os valores do período não são os que os eventos dão.",
  other_log: "Os dois pontos de verificação não são do mesmo registro, ou estão trocados.",
  rewritten: "O registro mais novo não contém tudo o que o anterior tinha.",
};

export const proofStrings = {
  hint: "Veja o que foi conferido, baixe um comprovante e confira os arquivos que você recebeu.",
  checks: {
    title: "O que foi conferido",
    meaning:
      "Cada evento da sua empresa, como uma venda ou um saque, fica em um registro que só cresce, e a plataforma assina o estado do registro em pontos de verificação. Se um evento já registrado fosse alterado ou apagado, a assinatura deixaria de corresponder, e as testemunhas não confirmariam o ponto seguinte.",
    checkpoint: "Ponto de verificação",
    events: "Eventos registrados agora",
    witnesses: "Testemunhas",
    noWitnesses: "Nenhuma",
    witnessed: (name: string) => `${name}, em `,
    verified: "Conferido pela plataforma",
    replayed: "Saldos recalculados",
    never: "Ainda não",
    findings: (count: number, shown: string) =>
      count === 0 ? "sem diferenças" : `${shown} ${plural(count, "diferença", "diferenças")}`,
    emptyTitle: "Ainda não há ponto de verificação",
    empty:
      "O histórico é assinado uma vez por dia. Até o primeiro ponto de verificação, não há comprovante para baixar.",
  },
  download: {
    title: "Baixar comprovante",
    hint: "O arquivo prova o que está no registro a quem não tem acesso à plataforma.",
    warning:
      "O comprovante contém todos os eventos da empresa, mesmo com um período. Envie só a quem pode ver esses dados.",
    placeholder: "Todo o histórico",
    submit: "Baixar comprovante",
    file: "comprovante",
  },
  check: {
    title: "Conferir um arquivo",
    hint: "A conferência é feita no seu navegador: o arquivo não é enviado à plataforma.",
    choose: "Escolher arquivo",
    running: (file: string) => `Conferindo ${file}…`,
    validTitle: "O comprovante é válido",
    refusedTitle: "O arquivo não confere",
    uncheckedTitle: "Não foi possível conferir o arquivo",
    failed: "O arquivo não pôde ser lido. Tente de novo.",
    refusals,
    atEvent: (sequence: string) => `Evento nº ${sequence}.`,
    file: "Arquivo",
    kind: "Comprovante de",
    kinds: { company: "Empresa", sale: "Venda", growth: "Continuidade do registro" },
    kindHints: {
      company:
        "O arquivo tem todos os eventos da empresa até o ponto de verificação. Os valores abaixo seguem deles.",
      sale: "Os eventos do arquivo estão no registro. A venda pode ter outros eventos.",
      growth: "O registro mais novo contém tudo o que o anterior tinha, sem alterações.",
    },
    company: "Empresa",
    otherCompany: "É de uma empresa diferente da que está aberta no painel.",
    sale: "Venda",
    events: "Eventos",
    period: "Período",
    wholeHistory: "Todo o histórico",
    fees: "Taxas e tarifas do período",
    earlier: "Ponto de verificação anterior",
    balances: "Saldos",
    account: "Conta",
    opening: "No início",
    closing: "No fim",
    now: "No ponto de verificação",
    accounts: AccountName,
  },
  keys: {
    title: "Chaves públicas",
    hint: "Quem confere um comprovante fora da plataforma usa estas chaves.",
    show: "Ver as chaves",
    table: "Chaves públicas da plataforma",
    key: "Chave",
    from: "Desde",
    to: "Até",
    inUse: "Em uso",
    notYet: "Ainda não assinou",
    emptyTitle: "Nenhuma chave publicada",
  },
  staff: {
    hint: "Os pontos de verificação do registro, as testemunhas e as últimas conferências.",
    audits: "Conferências",
    outside: "Cópia fora do banco de dados",
    notOutside: "Nenhuma",
    shards: "Partições",
    shardsHint: "Os eventos depois do último ponto de verificação entram no próximo.",
    columns: {
      shard: "Partição",
      size: "Eventos no ponto",
      recorded: "Registrados agora",
      madeAt: "Ponto de verificação",
      witnesses: "Testemunhas",
    },
    noCheckpoint: "Ainda não há",
    noEvents: "Sem eventos",
    witnesses: "Testemunhas",
    witnessColumns: {
      name: "Nome",
      url: "Endereço",
      lastAt: "Última confirmação",
      missing: "Pontos sem confirmação",
    },
    noWitnessesTitle: "Nenhuma testemunha configurada",
    noWitnesses: "Sem testemunhas, só quem guarda pontos de verificação antigos nota um registro reescrito.",
  },
} as const;
