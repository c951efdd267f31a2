import { expect, it } from "vitest";
import { blockedText } from "./blocked";

const text = (in_dispute: number, held_by_staff: number) =>
  blockedText({ in_dispute, held_by_staff }).replaceAll("\u00a0", " ");

it("does not call a hold by the platform a dispute", () => {
  expect(text(0, 50_00)).toBe("Bloqueado pela plataforma");
  expect(text(300_00, 0)).toBe("Em contestação");
  expect(text(300_00, 50_00)).toBe("R$ 300,00 em contestação; R$ 50,00 bloqueado pela plataforma");
});

it("explains the figure if nothing is blocked", () => {
  expect(text(0, 0)).toBe("Em contestação ou bloqueado pela plataforma");
  expect(blockedText(undefined)).toBe(text(0, 0));
});
