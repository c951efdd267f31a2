// Which groups and pages a role sees, which entry is marked, and the breadcrumb.
import { expect, it } from "vitest";
import { allows, screenOf } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import { screens } from "../api/tables";
import { crumbsOf, entryAt, groupAt, nameOf, visibleGroups } from "./navigation";
import { groups } from "./routes";

const mayOpen = (panel: PanelName, role: string) => (route: string) =>
  allows(screenOf(screens, panel, route).roles, { panel, roles: [role] });

const seenBy = (panel: PanelName, role: string) =>
  visibleGroups(groups[panel], mayOpen(panel, role)).map(({ label, entries }) => [label, entries.length]);

const crumbs = (panel: PanelName, role: string, path: string) =>
  crumbsOf(groups[panel], path, mayOpen(panel, role)).map(({ name, to }) => (to ? `${name} ${to}` : name));

it("shows a role its groups: one without a page is absent, one with a page has the page's name", () => {
  expect(seenBy("seller", "operator")).toEqual([
    ["Início", 1],
    ["Vendas", 1],
    ["Links", 3],
    ["Ajustes", 2],
    ["Fale com a gente", 1],
  ]);
  expect(seenBy("admin", "financial")).toEqual([
    ["Início", 1],
    ["Relatórios", 3],
    ["Operação", 1],
    ["Minha conta", 1],
  ]);
});

it("marks the entry of the page, else of the nearest page above it", () => {
  const marked = (panel: PanelName, path: string) => {
    const group = groupAt(visibleGroups(groups[panel], mayOpen(panel, "admin")), path);
    const entry = group && entryAt(group.entries, path);
    return entry && nameOf(entry);
  };
  expect(marked("seller", "/maquininha/vendas/7")).toBe("Vendas da maquininha");
  expect(marked("seller", "/financeiro/saques/7")).toBe("Saldo e extrato");
  expect(marked("seller", "/links-de-pagamento/novo")).toBe("Links de pagamento");
  expect(marked("admin", "/empresas/7/saldo")).toBe("Todas as empresas");
  expect(marked("admin", "/ajustes/conciliacao")).toBe("Conciliação");
  expect(marked("admin", "/nao-existe")).toBeUndefined();
});

it("leads from the group over the pages above to the page", () => {
  expect(crumbs("seller", "owner", "/")).toEqual(["Início"]);
  expect(crumbs("seller", "owner", "/vendas/7")).toEqual(["Vendas /vendas", "Venda"]);
  expect(crumbs("seller", "owner", "/financeiro")).toEqual(["Financeiro", "Saldo e extrato"]);
  expect(crumbs("seller", "owner", "/financeiro/valores-retidos/7")).toEqual([
    "Financeiro /financeiro",
    "Valores retidos /financeiro/valores-retidos",
    "Valor retido",
  ]);
  expect(crumbs("admin", "commercial-supervisor", "/empresas/7/saldo")).toEqual([
    "Empresas /empresas",
    "Empresa /empresas/7",
    "Saldo da empresa",
  ]);
  // The queue of withdrawals is closed to this role, a withdrawal is not.
  expect(crumbs("admin", "financial", "/saques/7")).toEqual(["Saques", "Fila de saques", "Saque"]);
  expect(crumbs("admin", "financial", "/ajustes/operacao")).toEqual(["Operação"]);
});
