import { expect, test } from "vitest";
import { hasSame, mergeTexts, noticeOf } from "./companyMerge";

const opened = { name: "Padaria", mcc: "", phone: "1133334444" };
const labels = { name: "Razão social", mcc: "MCC", phone: "Telefone" };

test("a field that only the other user changed takes the saved value", () => {
  const typed = { ...opened, name: "Padaria Nova" };
  const merge = mergeTexts(opened, typed, { ...opened, mcc: "5462" });
  expect(merge).toEqual({ values: { ...typed, mcc: "5462" }, taken: ["mcc"], kept: [] });
  expect(typed.mcc).toBe("");
});

test("a field that both users changed keeps the typed value", () => {
  const typed = { ...opened, name: "Padaria Nova", phone: "1144445555" };
  const saved = { ...opened, name: "Padaria Velha", phone: "" };
  const merge = mergeTexts(opened, typed, saved);
  expect(merge.values).toEqual(typed);
  expect([merge.taken, merge.kept]).toEqual([[], ["name", "phone"]]);
  const notice = noticeOf(merge, saved, labels);
  expect(notice).toContain(
    "Mantido como você digitou: Razão social (agora é Padaria Velha), Telefone (agora é vazio).",
  );
  expect(notice).not.toContain("Atualizado");
});

test("two users who make the same change have no conflict", () => {
  const merge = mergeTexts(opened, { ...opened, name: "Padaria Nova " }, { ...opened, name: "Padaria Nova" });
  expect([merge.taken, merge.kept]).toEqual([[], []]);
});

test("the notice names the changed fields, and shows a number as its field does", () => {
  const saved = { ...opened, mcc: "5462", phone: "11999998888" };
  const merge = mergeTexts(opened, { ...opened, phone: "1144445555" }, saved);
  expect(noticeOf(merge, saved, labels)).toBe(
    "Outra pessoa mudou este cadastro enquanto você editava. Atualizado no formulário: MCC. " +
      "Mantido como você digitou: Telefone (agora é (11) 99999-8888). Confira e salve de novo.",
  );
});

test("the notice leaves out a field that the form does not show", () => {
  const merge = mergeTexts(
    { plan_id: "a", plan: "A" },
    { plan_id: "a", plan: "A" },
    { plan_id: "b", plan: "B" },
  );
  expect(merge.values).toEqual({ plan_id: "b", plan: "B" });
  expect(noticeOf(merge, merge.values, { plan: "Plano" })).toContain("Atualizado no formulário: Plano.");
});

test("an address that was saved before is recognized, also with spaces at its ends", () => {
  expect(hasSame([opened], { ...opened, name: "Padaria " })).toBe(true);
  expect(hasSame([opened], { ...opened, mcc: "5462" })).toBe(false);
  expect(hasSame([], opened)).toBe(false);
});
