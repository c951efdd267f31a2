import { expect, it } from "vitest";
import { titleInLines } from "./columnTitle";

it.each([
  ["Valor bruto", "Valor bruto"],
  ["a".repeat(10).concat(" ", "b".repeat(9)), `${"a".repeat(10)} ${"b".repeat(9)}`],
  ["Antecipado por cancelamento", "Antecipado por\ncancelamento"],
  ["a".repeat(30), "a".repeat(30)],
])("shows the title '%s' as %j", (title, lines) => expect(titleInLines(title)).toBe(lines));
