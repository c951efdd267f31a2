import { expect, it } from "vitest";
import type { PaymentLink } from "../../api/models";
import { bodyOf, type LinkValues, linkSchema, NEW_LINK, valuesOf } from "./linkValues";

// 02:30 UTC is still the day before in Brasília.
const NOW = new Date("2026-11-22T02:30:00Z");
const cake: LinkValues = { ...NEW_LINK, description: " Bolo ", amount: 180_00, installments_max: "3" };

function errors(values: Partial<LinkValues>, saved?: PaymentLink): string[] {
  const issues = linkSchema(NOW, saved).safeParse({ ...cake, ...values }).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

it("names each invalid field", () => {
  expect(errors({})).toEqual([]);
  expect(errors({ description: " ", payment_types: [], expires_on: "20112026", use_limit: "0" })).toEqual([
    "description: Informe a descrição.",
    "payment_types: Selecione pelo menos uma forma de pagamento.",
    "expires_on: A validade deve ser hoje ou um dia futuro.",
    "use_limit: Deve ser um número de 1 a 1.000.000.",
  ]);
  expect(errors({ amount: undefined })).toEqual(["amount: Informe o valor."]);
  expect(errors({ kind: "open", amount_min: 2, amount_max: 1 })).toEqual([
    "amount_max: O valor máximo deve ser igual ao mínimo ou maior.",
  ]);
  expect(errors({ expires_on: "21112026" })).toEqual([]);
});

const expired: PaymentLink = {
  ...bodyOf(cake),
  id: "lnk_1",
  code: "0123456789AB",
  active: true,
  status: "expired",
  expires_on: "2026-11-01",
  use_limit: 10,
  uses: 4,
  sales: 4,
  sold: 720_00,
  created_at: "2026-10-01T00:00:00Z",
  updated_at: "2026-10-01T00:00:00Z",
  version: 1,
};

it("accepts the saved expiry date although it has passed, and refuses a limit below the uses", () => {
  expect(errors({ expires_on: "01112026", use_limit: "4" }, expired)).toEqual([]);
  expect(errors({ use_limit: "3" }, expired)).toEqual([
    "use_limit: O limite deve ser de pelo menos 4, porque o link já tem 4 usos.",
  ]);
});

it("reads a link into the form and sends it back unchanged, without the fields of the other kind", () => {
  expect(valuesOf(expired)).toMatchObject({ expires_on: "01112026", use_limit: "10", kind: "fixed" });
  expect(bodyOf(valuesOf(expired))).toMatchObject({
    description: "Bolo",
    amount: 180_00,
    expires_on: "2026-11-01",
    use_limit: 10,
    installments_max: 3,
  });
  const open = { ...cake, kind: "open" as const, amount_min: 10_00, payment_types: ["pix"] };
  expect(bodyOf(open)).toMatchObject({
    amount: null,
    amount_min: 10_00,
    amount_max: null,
    installments_max: 1,
  });
});
