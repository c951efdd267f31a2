import { expect, it } from "vitest";
import { strings } from "../../strings/pt-BR";
import { actorText, changesOf, type Entry, predicate } from "./historyText";

const actor = { kind: "seller", name: "Marta Oliveira", is_subject: false };
const entry = (action: string, before?: object, after?: object): Entry => ({ action, actor, before, after });

it.each([
  [{ kind: "seller", name: "Marta Oliveira", is_subject: true }, "Marta Oliveira"],
  [{ kind: "admin", name: null, is_subject: false }, "Equipe da plataforma"],
  [{ kind: "admin", name: "Regina Duque", is_subject: false }, "Regina Duque"],
  [{ kind: "system", name: null, is_subject: false }, "Sistema"],
  [{ kind: "seller", name: null, is_subject: false }, "Usuário excluído"],
])("%o reads %s", (who, text) => expect(actorText(who)).toBe(text));

it.each([
  [entry("create", undefined, { name: "Nina" }), "criou o usuário"],
  [entry("update", { name: "Nina" }, { name: "Nina Castro" }), "alterou o usuário"],
  [entry("update", { active: true }, { active: false }), "desativou o usuário"],
  [entry("update", { active: false }, { active: true }), "ativou o usuário"],
  [entry("update", { active: false, name: "A" }, { active: true, name: "B" }), "alterou o usuário"],
  [entry("delete", { name: "Nina" }), "excluiu o usuário"],
  [entry("sign-in", undefined, { session: "x" }), "entrou no painel"],
  [
    entry("grant-access", undefined, { business: "Padaria", role: "operator" }),
    "deu acesso a Padaria como Operador",
  ],
  [
    entry("change-access", { business: "Padaria", role: "operator" }, { business: "Padaria", role: "admin" }),
    "alterou o grupo em Padaria de Operador para Administrador",
  ],
  [entry("remove-access", { business: "Padaria", role: "operator" }), "removeu o acesso a Padaria"],
  [entry("something-new"), "something-new"],
  [entry("toString"), "toString"],
])("%o has a sentence", (of, text) => expect(predicate(of, "user")).toBe(text));

it("shows a terminal's billing in words", () => {
  const change = entry("change-billing", { billing_type: 0 }, { billing_type: 1, rental_price: 5990 });
  expect(predicate(change, "terminal")).toBe("alterou a cobrança da maquininha");
  const shown = changesOf(change).map(({ label, before, after }) => [label, before, after]);
  expect(shown).toEqual([
    ["Cobrança", "Adesão", "Aluguel"],
    ["Aluguel por mês", undefined, "R$\u00a059,90"],
  ]);
});

it("shows what staff asked about money, and the events that it recorded", () => {
  const adjustment = entry("make-manual-transfer", undefined, {
    recorded: ["ManualTransferMade"],
    asked: { amount: 150000, reason: "Ajuste de tarifa" },
  });
  expect(changesOf(adjustment).map(({ label, after }) => [label, after])).toEqual([
    ["Eventos registrados", "Ajuste manual"],
    ["Valor", "R$\u00a01.500,00"],
    ["Motivo", "Ajuste de tarifa"],
  ]);
  const rule = entry("update", { credits_alone_up_to: 100000 }, { credits_alone_up_to: null });
  expect(changesOf(rule)).toMatchObject([{ before: "R$\u00a01.000,00", after: "—" }]);
  const closed = entry("close", { status: "waiting" }, { status: "closed" });
  expect(changesOf(closed)).toMatchObject([{ before: "Aguardando", after: "Encerrada" }]);
});

it("shows the order of acquirers, an empty one and the inherited one", () => {
  const shown = (before: unknown, after: unknown) =>
    changesOf(entry("update", { acquirers: before }, { acquirers: after })).map((change) => [
      change.before,
      change.after,
    ]);
  expect(shown(null, ["zoop", "iugu"])).toEqual([["ordem padrão", "Zoop, Iugu"]]);
  expect(shown(["stone"], [])).toEqual([["stone", "nenhuma"]]);
  expect(predicate(entry("update", {}, {}), "acquirers")).toBe("alterou as adquirentes");
});

it("names the tenant that was changed", () => {
  const change = entry("update", { product_name: "A" }, { product_name: "B" });
  expect(predicate(change, "settings", "loja")).toBe("alterou a marca loja");
});

it("formats each field before and after", () => {
  const changes = changesOf(
    entry(
      "update",
      { document: "35162478946", roles: ["admin"], active: true, role_id: 7 },
      { document: "48291563764", roles: ["financial", "commercial-supervisor"], active: false, role_id: 2 },
    ),
  );
  expect(changes.map(({ label, before, after }) => [label, before, after])).toEqual([
    ["CPF", "351.624.789-46", "482.915.637-64"],
    ["Ativo", "Sim", "Não"],
    ["Grupo", "Operador", "Administrador"],
    ["Grupos", "Administrador", "Financeiro, Supervisor Comercial"],
  ]);
});

it("calls a company's document CNPJ, and names plans, solutions and kinds of documents", () => {
  const labels = (after: object) =>
    changesOf(entry("create", undefined, after)).map(({ label, after: value }) => [label, value]);
  expect(labels({ document: "11222333000181", receiving_plan: "Saque padrão" })).toEqual([
    ["CNPJ", "11.222.333/0001-81"],
    ["Plano de recebimento", "Saque padrão"],
  ]);
  expect(labels({ document: "12ABC34501DE35" })).toEqual([["CNPJ", "12.ABC.345/01DE-35"]]);
  expect(labels({ document: "35162478946" })).toEqual([["CPF", "351.624.789-46"]]);
  expect(labels({ solution: 1, plan: "Padrão" })).toEqual([
    ["Solução", "Maquininha"],
    ["Plano", "Padrão"],
  ]);
  expect(labels({ document_kind: "identity", file_name: "rg.png", sha256: "00" })).toEqual([
    ["Documento", "Documento de identidade"],
    ["Arquivo", "rg.png"],
  ]);
});

it("shows no value before a creation and none after a deletion", () => {
  const [created] = changesOf(entry("create", undefined, { email: "nina@exemplo.com.br" }));
  expect(created).toMatchObject({ label: "E-mail", before: undefined, after: "nina@exemplo.com.br" });
  const [deleted] = changesOf(entry("delete", { theme: "dark" }));
  expect(deleted).toMatchObject({ label: "Tema", before: "Escuro", after: undefined });
});

it("formats instants in the reader's zone, accesses by company, and empty values as a dash", () => {
  const changes = changesOf(
    entry(
      "update",
      { email_verified_at: null, access: [] },
      { email_verified_at: "2026-11-21T02:05:00Z", access: [{ business: "Padaria", role: "operator" }] },
    ),
    "America/Sao_Paulo",
  );
  expect(changes.map(({ label, before, after }) => [label, before, after])).toEqual([
    ["Acessos", "—", "Padaria (Operador)"],
    ["email_verified_at", "—", "20/11/2026 23:05"],
  ]);
});

it("names the tenant's zone after a user removed their own", () => {
  const [zone] = changesOf(entry("update", { time_zone: "America/Sao_Paulo" }, { time_zone: null }));
  expect(zone).toMatchObject({
    label: "Fuso horário",
    before: "Brasília",
    after: strings.shell.timeZoneDefault("UTC"),
  });
});

it("omits fields that the sentence contains or that mean nothing to a reader", () => {
  expect(changesOf(entry("update", { active: true }, { active: false }))).toEqual([]);
  expect(changesOf(entry("sign-in", undefined, { session: "x" }))).toEqual([]);
  expect(changesOf(entry("grant-access", undefined, { business: "Padaria", role: "operator" }))).toEqual([]);
  const both = changesOf(entry("update", { role: "operator", role_id: 7 }, { role: "admin", role_id: 2 }));
  expect(both.map(({ field }) => field)).toEqual(["role"]);
});
