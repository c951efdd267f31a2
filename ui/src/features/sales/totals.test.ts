import { expect, it } from "vitest";
import { salesStrings } from "../../strings/pt-BR.sales";
import { type StatusFilter, totalFigures } from "./totals";

const labels = (status: StatusFilter) => totalFigures(status).map(({ label }) => label);

it("names the totals by the status filter", () => {
  expect(labels(null)).toEqual(["Vendas aprovadas", "Valor bruto", "Total de taxas", "Valor líquido"]);
  expect(labels("succeeded")).toEqual(["Vendas aprovadas", "Valor bruto", "Total de taxas", "Valor líquido"]);
  expect(labels("canceled")).toEqual(["Vendas canceladas", "Valor cancelado"]);
  expect(labels("failed")).toEqual(["Vendas com falha", "Valor não aprovado"]);
});

it("says that the totals of all approved sales include those reversed later", () => {
  const notes = (status: StatusFilter) => totalFigures(status).map(({ note }) => note);
  expect(notes(null)[0]).toBe("Inclui as canceladas e contestadas depois");
  expect(notes(null).at(-1)).toBe("Antes de cancelamentos e contestações");
  expect(notes("succeeded").every((note) => note === undefined)).toBe(true);
});

it("shows fees and net under no status filter but that of approved sales", () => {
  for (const status of Object.keys(
    salesStrings.sales.statusGroups,
  ) as (keyof typeof salesStrings.sales.statusGroups)[]) {
    const figures = totalFigures(status).map(({ figure }) => figure);
    const kept = status === "succeeded";
    expect([figures.includes("fees"), figures.includes("net")]).toEqual([kept, kept]);
  }
});
