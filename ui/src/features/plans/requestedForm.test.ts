import { expect, it } from "vitest";
import { requestedForm } from "./requestedForm";

const debit = { card_brand: "visa", payment_type: "debit", number_installments: 1, percent_amount: "1.59" };
const twelve = {
  card_brand: "visa",
  payment_type: "credit",
  number_installments: 12,
  percent_amount: "9.99",
};

it("sends the changed fields, but not the version and its start", () => {
  const after = { flat_rate: 60, version: 3, valid_from: "2026-11-21T15:00:00Z" };
  expect(requestedForm(after, [debit])).toEqual({ flat_rate: 60 });
});

it("sends all card fees if one of them changes", () => {
  const form = requestedForm({ "fees.visa.12": "8.99" }, [debit, twelve]);
  expect(form).toEqual({ fees: [debit, { ...twelve, percent_amount: "8.99" }] });
  const fromMdr = requestedForm({ mdr: false, "fees.visa.debit": "1.59", "fees.visa.12": "9.99" }, []);
  expect(fromMdr).toEqual({ mdr: false, fees: [debit, twelve] });
});
