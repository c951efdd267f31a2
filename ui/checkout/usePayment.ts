// Sends one payment at a time: a press of the button while a payment is sent does nothing. Card data become a token
// first.
import { useRef, useState } from "react";
import { CallFailure } from "./calls";
import { brandOf, type CardFields, cardDataOf, chosenInstallments } from "./card";
import type { ChosenCard, Order, Payment, PaymentType, Prices } from "./contract";
import type { CardEntry } from "./PaymentChoice";
import { totalOf } from "./prices";
import { TokenFailure, tokenOf } from "./tokens";
import { words } from "./words";

export interface Chosen {
  type: PaymentType;
  prices: Prices | null;
  /** `entry.tokens` is the acquirer's endpoint that turns card data into a token. */
  entry: CardEntry;
  card: CardFields;
}

async function chosenCard({ prices, entry, card }: Chosen): Promise<ChosenCard> {
  const brand = brandOf(card);
  const installments = chosenInstallments(prices, card)?.count;
  // The forms send no card without all three.
  if (!entry.tokens || !brand || !installments) throw new TokenFailure("unreachable");
  const token = await tokenOf(entry.tokens, cardDataOf(card));
  return { token, brand, last_four: card.number.slice(-4), installments };
}

async function paymentOf(chosen: Chosen): Promise<Payment> {
  const { type, prices, card } = chosen;
  const total = totalOf(prices, type, chosenInstallments(prices, card));
  if (total === undefined) throw new Error(`no price for ${type}`);
  return { payment_type: type, total, card: type === "credit" ? await chosenCard(chosen) : null };
}

/** The text about a failure for the buyer. */
export function failureText(error: unknown): string {
  if (error instanceof TokenFailure) return words.card[error.kind];
  if (!(error instanceof CallFailure)) return words.failure.unexpected;
  if (error.cardBrand) return error.fields["card.brand"] ?? error.message;
  return error.waitSeconds === undefined
    ? error.message
    : `${error.message} ${words.failure.wait(error.waitSeconds)}`;
}

interface Paying {
  isSending: boolean;
  pay: (
    chosen: Chosen,
    send: (payment: Payment) => Promise<Order>,
    then: { placed: (order: Order) => void; failed: (error: unknown) => void },
  ) => Promise<void>;
}

export function usePayment(): Paying {
  const busy = useRef(false);
  const [isSending, setSending] = useState(false);
  return {
    isSending,
    pay: async (chosen, send, { placed, failed }) => {
      if (busy.current) return;
      busy.current = true;
      setSending(true);
      try {
        placed(await send(await paymentOf(chosen)));
      } catch (error) {
        failed(error);
      } finally {
        busy.current = false;
        setSending(false);
      }
    },
  };
}
