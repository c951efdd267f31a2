// A payment link as text: its amount, its uses, its public address, and the message that shares it.
import type { PaymentLink } from "../../api/models";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { linksStrings as words } from "../../strings/pt-BR.links";

type Amounts = Pick<PaymentLink, "amount" | "amount_min" | "amount_max">;

/** "R$ 180,00", "De R$ 10,00 a R$ 50,00", "A partir de R$ 10,00", "Até R$ 50,00" or "Valor aberto" */
export function amountText({ amount, amount_min, amount_max }: Amounts): string {
  if (amount !== null) return money(amount);
  if (amount_min !== null && amount_max !== null) return words.between(money(amount_min), money(amount_max));
  if (amount_min !== null) return words.from(money(amount_min));
  return amount_max === null ? words.openAmount : words.upTo(money(amount_max));
}

/** "4" or "4 de 10" */
export function usesText({ uses, use_limit }: Pick<PaymentLink, "uses" | "use_limit">): string {
  return use_limit === null ? wholeNumber(uses) : words.usesOf(wholeNumber(uses), wholeNumber(use_limit));
}

export function expiryText({ expires_on }: Pick<PaymentLink, "expires_on">): string {
  return expires_on === null ? words.noExpiry : businessDate(expires_on);
}

/** "Cartão até 3x, PIX" */
export function paymentTypesText({
  payment_types,
  installments_max,
}: Pick<PaymentLink, "payment_types" | "installments_max">): string {
  const names = payment_types.map((type) => {
    const name = words.paymentTypesShort[type as keyof typeof words.paymentTypesShort] ?? type;
    return type === "credit" && installments_max > 1 ? `${name} até ${installments_max}x` : name;
  });
  return names.join(", ");
}

/** The page on which buyers pay. It is on the seller panel's host. */
export const publicAddress = (code: string, origin: string) => `${origin}/pl/${code}`;

export function shareMessage(link: PaymentLink, seller: string, address: string): string {
  const amount = link.amount === null ? null : money(link.amount);
  return words.share.message(seller, link.description, amount, address);
}

/** Opens WhatsApp with the message; the user chooses the contact there. */
export const whatsappAddress = (message: string) => `https://wa.me/?text=${encodeURIComponent(message)}`;
