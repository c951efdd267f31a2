import { expect, it } from "vitest";
import type { ExceptionRow } from "../../api/models";
import {
  parameterLines,
  resolutionText,
  resolvedText,
  retryHint,
  typeAndCode,
  typeText,
} from "./exceptionText";

const plain = (lines: [string, string][]) =>
  lines.map((line) => line.map((text) => text.replaceAll("\u00a0", " ")));

it("names the type of a row, and keeps the code of an unknown type", () => {
  expect(typeText("sale.captured")).toBe("Venda capturada");
  expect(typeAndCode("sale.captured")).toBe("Venda capturada (sale.captured)");
  expect([typeText("sale.melted"), typeAndCode("toString")]).toEqual(["sale.melted", "toString"]);
});

it("describes the effect of a retry for a notice, a refund and an unreadable row of work", () => {
  expect(retryHint("sale.captured")).toMatch(/^A notificação será processada/);
  expect(retryHint("refund.refused")).toMatch(/pedido de estorno/);
  expect(retryHint("payout.unreadable")).toMatch(/fila de envio/);
});

it("formats amounts, dates and codes", () => {
  const parameters = {
    recorded: 130_000,
    told: 29_999,
    due_date: "2026-12-23",
    at: "2026-11-21T13:00:00Z",
    status: "canceled",
    solution: 1,
    installments: 12,
    dispute_id: "dp_1",
    something_new: ["a"],
    absent: null,
  };
  expect(plain(parameterLines(parameters, "America/Sao_Paulo"))).toEqual([
    ["Valor registrado", "R$ 1.300,00"],
    ["Valor informado", "R$ 299,99"],
    ["Data prevista", "23/12/2026"],
    ["Data das condições", "21/11/2026 10:00"],
    ["Status da venda", "Cancelado"],
    ["Solução", "Maquininha"],
    ["Parcelas", "12"],
    ["Contestação", "dp_1"],
    ["something_new", '["a"]'],
  ]);
});

it("names the resolution of a row, and keeps the reason that staff gave", () => {
  const ended = (status: string, resolution: string | null) =>
    resolutionText({ status, resolution } as ExceptionRow);
  expect(ended("resolved", "already")).toBe("Já estava registrada");
  expect(ended("closed", "recorded")).toBe("recorded");
  expect(ended("waiting", null)).toBeUndefined();
  expect(resolvedText({ resolution: "asked_again" })).toBe("Novo pedido de estorno enviado à adquirente.");
  expect(resolvedText({ resolution: "recorded" })).toBe("A notificação foi processada e registrada.");
});
