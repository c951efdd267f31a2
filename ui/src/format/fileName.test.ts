import { expect, test } from "vitest";
import { fileName } from "./fileName";

const lateEvening = new Date("2026-11-22T02:30:00Z");

test("a saved list is named after the list, the company and the day in Brasília", () => {
  expect(fileName("vendas", "Padaria São João & Cia. Ltda", lateEvening)).toBe(
    "vendas-padaria-sao-joao-cia-ltda-2026-11-21",
  );
});

test("a list without a company, or of one without letters, has no empty part", () => {
  expect(fileName("usuarios", undefined, lateEvening)).toBe("usuarios-2026-11-21");
  expect(fileName("usuarios", "***", lateEvening)).toBe("usuarios-2026-11-21");
});

test("a long company's name that is cut does not end with a hyphen", () => {
  const name = fileName("saques", `${"a".repeat(39)} b`, lateEvening);
  expect(name).toBe(`saques-${"a".repeat(39)}-2026-11-21`);
});
