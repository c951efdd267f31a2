import { expect, it } from "vitest";
import { Failure } from "./failure";

const tooMany = { message: "Muitas tentativas." };

it.each([
  ["1", "Muitas tentativas. Falta 1 segundo."],
  ["30", "Muitas tentativas. Faltam 30 segundos."],
  ["590", "Muitas tentativas. Faltam 10 minutos."],
  [null, "Muitas tentativas."],
  ["Wed, 21 Oct 2026 07:28:00 GMT", "Muitas tentativas."],
])("says how long to wait: %s", (header, message) => {
  expect(new Failure(429, tooMany, header).message).toBe(message);
});

it("names no wait where trying again is not a matter of time", () => {
  expect(new Failure(403, { message: "Não." }, "30").message).toBe("Não.");
});
