import { expect, it } from "vitest";
import { manualTransferSchema } from "./manualTransfer";

const valid = { direction: "out", amount: 100, description: "Acerto", password: "x", allow_negative: false };

function message(change: object): string | undefined {
  const { error } = manualTransferSchema.safeParse({ ...valid, ...change });
  return error?.issues[0]?.message.replaceAll("\u00a0", " ");
}

it.each([
  [{}, undefined],
  [{ amount: 99 }, "Valor não pode ser menor que: R$ 1,00"],
  [{ direction: "in", amount: 99 }, undefined],
  [{ direction: "in", amount: 0 }, "Valor não pode ser menor que: R$ 0,01"],
  [{ amount: undefined }, "requerido"],
  [{ description: "  " }, "Informe a descrição."],
  [{ password: "" }, "A senha é requerida."],
])("a change of %o gets the message %s", (change, expected) => expect(message(change)).toBe(expected));

it("reports an amount that is too small together with the other invalid fields", () => {
  const { error } = manualTransferSchema.safeParse({ ...valid, amount: 99, description: "" });
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["description", "amount"]);
});
