// The facts of a sale's receipt: the amount that the buyer paid, when and how. Fees, the net amount, users and the plan
// do not concern the buyer, so they are left out.
import type { SaleDetail } from "../../../api/models";
import { type Fact, knownFacts } from "../../../components/facts";
import { BUSINESS_ZONE, instant } from "../../../format/dates";
import { money } from "../../../format/money";
import { brandName, installmentsText } from "../../../format/payment";
import { paymentStrings } from "../../../strings/pt-BR.payment";
import { salesStrings } from "../../../strings/pt-BR.sales";
import { statusStrings } from "../../../strings/pt-BR.status";

const words = salesStrings.sale.receipt;

export type ReceiptSale = Pick<
  SaleDetail,
  "id" | "status" | "amount" | "payment_type" | "payment_method" | "captured_at" | "authorization_code"
>;

/** Why the sale has no receipt; undefined if it has one. A sale that was reversed keeps it, with its new status. */
export function noReceiptReason({ captured_at }: Pick<SaleDetail, "captured_at">): string | undefined {
  return captured_at ? undefined : words.onlyApproved;
}

export function receiptFacts(sale: ReceiptSale): readonly Fact[] {
  const { card_brand, card_last_four, installments } = sale.payment_method;
  return knownFacts([
    [words.amount, money(sale.amount)],
    [words.payment, paymentStrings.payment.types[sale.payment_type]],
    [words.installments, sale.payment_type === "credit" && installmentsText(installments)],
    [words.brand, card_brand && brandName(card_brand)],
    [words.card, card_last_four && paymentStrings.payment.endingIn(card_last_four)],
    [words.authorization, sale.authorization_code],
    [words.date, sale.captured_at && words.inBrasilia(instant(sale.captured_at, BUSINESS_ZONE))],
    [words.status, statusStrings.status[sale.status]],
    [words.id, sale.id],
  ]);
}
