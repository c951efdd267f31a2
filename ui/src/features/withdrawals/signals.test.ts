import { expect, test } from "vitest";
import { signalTexts } from "./signals";

test("the signals of the history come before those of the destination and of the user", () => {
  const at = "2026-11-27T13:49:12Z";
  expect(
    signalTexts({ signals: ["first", "debt"], destination_changed_at: at, requester_access_at: at }),
  ).toEqual(["Primeiro saque", "Saldo negativo", "Conta de destino nova", "Usuário novo na empresa"]);
  const none = { destination_changed_at: null, requester_access_at: null };
  expect(signalTexts({ signals: null, ...none })).toEqual([]);
});
