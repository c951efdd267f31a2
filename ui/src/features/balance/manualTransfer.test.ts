import { expect, it } from "vitest";
import { manualTransferSchema } from "./manualTransfer";

const sound = { direction: "out", amount: 100, description: "Acerto", password: "x", allow_negative: false };

function message(change: object): string | undefined {
  const { error } = manualTransferSchema.safeParse({ ...sound, ...change });
  return error?.issues[0]?.message.replaceAll("\u00a0", " ");
}

it.each([
  [{}, undefined],
  [{ amount: 99 }, "Valor não pode ser menor que: R$ 1,00"],
  [{ amount: undefined }, "requerido"],
  [{ description: "  " }, "Informe a descrição."],
  [{ password: "" }, "A senha é requerida."],
])("%o says %s", (change, said) => expect(message(change)).toBe(said));
