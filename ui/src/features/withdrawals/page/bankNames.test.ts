import { expect, it } from "vitest";
import type { ExecutionStep } from "../../../api/models";
import { bankNameFacts } from "./bankNames";

const E2E = "E60746948202611231403A1b2C3d4E5f";
const names = { end_to_end_id: E2E, control_number: null };
const step = (bank_id: string) => ({ bank_id }) as ExecutionStep;

it("shows each name of the bank once", () => {
  const paid = { names, return_names: null };
  expect(bankNameFacts(paid, [step(E2E)])).toEqual([["ID do PIX (E2E)", E2E]]);
  expect(bankNameFacts(paid, undefined)).toEqual([["ID do PIX (E2E)", E2E]]);
  expect(bankNameFacts({ names: null, return_names: null }, [step("tr-1")])).toEqual([
    ["ID no banco", "tr-1"],
  ]);
  expect(bankNameFacts({ names: null, return_names: null }, [])).toEqual([]);
});

it("names a TED and the return", () => {
  const ted = {
    names: { end_to_end_id: null, control_number: "STR20261123000123456" },
    return_names: { end_to_end_id: "D607", control_number: null },
  };
  expect(bankNameFacts(ted, [])).toEqual([
    ["Número de controle (TED)", "STR20261123000123456"],
    ["ID da devolução (E2E)", "D607"],
  ]);
});
