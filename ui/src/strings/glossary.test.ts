// Words that the Portuguese texts of the panels and of the gateway do not use.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

/** A boleto's fields have the names of the banks' form. */
const PRINTED_FORM = /^gateway\/formats\/src\/boleto_pdf\//;

function sourcesOf(folder: string, wanted: RegExp): [string, string][] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter(
      (file) => wanted.test(file) && !/\btests?\b/.test(file) && !PRINTED_FORM.test(`${folder}/${file}`),
    )
    .map((file) => [`${folder}/${file}`, readFileSync(join(ROOT, folder, file), "utf8")]);
}

const RUST = ["gateway", "ledger/domain/src", "projections/src"] as const;
const SOURCES = [
  ...sourcesOf("ui/src/strings", /^pt-BR.*\.ts$/),
  ...RUST.flatMap((folder) => sourcesOf(folder, /\.rs$/)),
];

/** The strings of a file, without comments. A Rust string may have several lines; tests are skipped. */
function stringsIn(file: string, text: string): string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "");
  if (!file.endsWith(".rs")) return code.match(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g) ?? [];
  const [tested = ""] = code.replaceAll(/'\\?"'/g, "").split("#[cfg(test)]\nmod ");
  const strings = tested.match(/"(?:[^"\\]|\\[\s\S])*"/g) ?? [];
  return strings.map((text) => text.replaceAll(/\\\n\s*/g, ""));
}

const ALL_STRINGS = SOURCES.map(([file, text]) => [file, stringsIn(file, text)] as const);

const FORBIDDEN: readonly [RegExp, string][] = [
  [/\bPix\b/, "PIX"],
  [/\b(o|os|do|dos|ao|no|pelo|pelos|este|outro) adquirentes?\b/i, "a adquirente"],
  [/^["`]Antecipad[oa]s?["`]$/, "Antecipado por cancelamento; alone it is the paid advance"],
  [/\ba liquidar\b/i, "Agendado"],
  [/\bestabelecimentos?\b/i, "empresa"],
  [/\b(no|do|fora do) livro\b/i, "processar, registro"],
  [/\baparelhos?\b/i, "dispositivo"],
  [/\bavisos? (fora|dos?|das?|que)\b/i, "notificação"],
  [/\bcontra (ontem|o mesmo)\b/i, "em relação a"],
  [/\bpor fora\b/i, "manualmente"],
  [/Há campos que/i, "Confira os campos destacados"],
  [/Por que espera/i, "Motivo da pendência"],
  [/\besperam? (a )?(pagamento|aprovação)\b/i, "aguarda"],
  [/Contar o que foi/i, "Considerar"],
  [/Ver esse instante/i, "Consultar saldo"],
  [/como chegou/i, "Conteúdo original"],
  [/Começo do endereço/i, "Subdomínio"],
  [/Código do atendimento/i, "Código do erro"],
  [/Voltar para a entrada/i, "Voltar para o login"],
  [/Ninguém muda/i, "Você não pode alterar"],
  [/não é aberta ao/i, "Seu perfil não tem acesso"],
  [/\bperfis\b|(?<!Seu )\bperfil\b/i, "grupo, or os próprios dados"],
  [/\bdar este grupo\b|\bgrupo .*\bser dado\b/i, "atribuir"],
  [/\bprovedor(es)?\b/i, "adquirente"],
  [/\bAntecipad[oa] pel[oa]\b/i, "Antecipado por"],
  [/\bdesfecho\b/i, "resultado"],
  [/\bsituação\b/i, "status"],
  [/\bSaldo agora\b/i, "Disponível agora"],
  [/^["`]Em saque["`]$/i, "Saques em andamento"],
  [/\bRetirada manual\b|: retirada\b|\bRetirar do saldo\b/i, "débito"],
  [/\bDesbloqueio\b/i, "Liberação"],
  [/^["`](Bruto|Líquido)["`]$/, "Valor bruto, Valor líquido"],
  [/^["`](Vencimento|Produto|Previsto|Liquidada em)["`]$/, "Data prevista, Pagamento, Total, Liquidado em"],
  [/^["`]Automático["`]$/, "Sistema"],
  [/^["`]Processando["`]$/, "Em processamento"],
  [/\bTerminal ou link\b|\baluguel de terminal\b/i, "maquininha"],
  [/\bCapturada em\b|\bna captura\b/i, "Aprovada em, na aprovação"],
  [/\bExportar XLSX\b/i, "Baixar planilha"],
  [/\bUsuário removido\b/i, "Usuário excluído"],
  [/\bNunca entrou\b/i, "Nunca acessou"],
  [/\bSua sessão terminou\b/i, "Sua sessão expirou"],
  [/\bVolume (diário|hoje|no mês)\b/i, "Vendas"],
  [/\bBloqueado .*pela equipe\b/i, "pela plataforma"],
  [/\bAntes disso\b|\bNo fim,/i, "Antes, Ao final"],
  // The name may be a person's or a brand's, so its grammatical gender is unknown.
  [/\$\{name\} foi (salv|excluíd|removid)[oa]\b|\bser reativado\b/i, "a noun that has its own gender"],
  // The specification fixes the texts that the lookahead excepts.
  [/^(?!["`](O Estado|O Banco|O tipo de conta|A senha|Senha|Nome|Email|CPF) é).* é requerid[oa]/i, "Informe"],
];

it.each(FORBIDDEN)("never writes %s", (forbidden, instead) => {
  const found = ALL_STRINGS.flatMap(([file, all]) =>
    all.filter((text) => forbidden.test(text)).map((text) => `${file}: ${text}`),
  );
  expect(found, `write ${instead}`).toEqual([]);
});

it("reads the strings of the panels and of each Rust folder", () => {
  const text = ALL_STRINGS.flatMap(([, all]) => all);
  expect(text).toContain('"Voltar para o login"');
  // One text of each Rust folder that has texts.
  expect(text).toContain('"Deve ter até 120 caracteres."');
  expect(text).toContain('"Venda não encontrada."');
  expect(text).toContain('"Saque recusado: valor devolvido"');
});
