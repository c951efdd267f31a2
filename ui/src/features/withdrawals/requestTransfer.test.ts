import { expect, it } from "vitest";
import { netOf, withdrawalSchema } from "./requestTransfer";

const schema = withdrawalSchema({ minimum: 500, available: 10_000 });
const valid = { amount: 5000, destination: "0", password: "x" };

function message(change: object): string | undefined {
  return schema.safeParse({ ...valid, ...change }).error?.issues[0]?.message.replaceAll("\u00a0", " ");
}

it.each([
  [{}, undefined],
  [{ amount: 500 }, undefined],
  [{ amount: 10_000, destination: "1" }, undefined],
  [{ amount: undefined }, "requerido"],
  [{ amount: 499 }, "Valor mínimo é de R$ 5,00"],
  [{ amount: 10_001 }, "Valor não pode ser maior que o saldo"],
  [{ destination: "" }, "Requerido"],
  [{ password: "" }, "A senha é requerida."],
])("a request with %o gets the message %s", (change, expected) => expect(message(change)).toBe(expected));

it.each([
  [501, 1],
  [500, 0],
  [499, 0],
  [0, 0],
  [undefined, 0],
])("a withdrawal of %s with a fee of R$ 5,00 pays %s", (amount, net) => expect(netOf(amount, 500)).toBe(net));
