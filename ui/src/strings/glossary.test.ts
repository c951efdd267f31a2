// The words that the platform says to people, in the panels and from the gateway: one name for each thing, and no
// phrase that reads as translated.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");

function sourcesOf(folder: string, wanted: RegExp): [string, string][] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => wanted.test(file) && !/\btests?\b/.test(file))
    .map((file) => [`${folder}/${file}`, readFileSync(join(ROOT, folder, file), "utf8")]);
}

const SOURCES = [...sourcesOf("ui/src/strings", /^pt-BR.*\.ts$/)];

/** What stands between quotes, outside of comments. */
function saidIn(text: string): string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "");
  return code.match(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g) ?? [];
}

const FORBIDDEN: readonly [RegExp, string][] = [
  [/\bPix\b/, "PIX"],
  [/\b(o|os|do|dos|ao|pelo|pelos|este|outro) adquirentes?\b/i, "a adquirente"],
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
  [/Contar o que foi/i, "Considerar"],
  [/Ver esse instante/i, "Consultar saldo"],
  [/como chegou/i, "Conteúdo original"],
  [/Começo do endereço/i, "Subdomínio"],
  [/Código do atendimento/i, "Código do erro"],
  [/Voltar para a entrada/i, "Voltar para o login"],
  [/Ninguém muda/i, "Você não pode alterar"],
  [/não é aberta ao/i, "Seu perfil não tem acesso"],
];

it.each(FORBIDDEN)("never says %s", (forbidden, instead) => {
  const found = SOURCES.flatMap(([file, text]) =>
    saidIn(text)
      .filter((said) => forbidden.test(said))
      .map((said) => `${file}: ${said}`),
  );
  expect(found, `say ${instead}`).toEqual([]);
});

it("reads the words", () => {
  const said = SOURCES.flatMap(([, text]) => saidIn(text));
  expect(said).toContain('"Voltar para o login"');
});
