// The shapes of the calls that the checkout makes. They come from the generated schema. For the statuses of orders and
// attempts and for payment types, the schema has plain strings; the values are listed here.
import type { components } from "../src/api/schema";

type Schemas = components["schemas"];

export type PaymentType = "credit" | "pix" | "boleto";

export type Installments = Schemas["PublicInstallments"];
export type Prices = Schemas["PublicPrices"];
export type CardTokens = Schemas["PublicCardTokens"];
export type Link = Schemas["PublicPaymentLink"];
export type Address = Schemas["BuyerAddressForm"];
export type Buyer = Schemas["BuyerForm"];
export type ChosenCard = Schemas["CardForm"];

/** How an attempt is paid, and the price that the buyer saw. */
export interface Payment extends Pick<Schemas["AttemptForm"], "total"> {
  payment_type: PaymentType;
  /** Null for PIX and boleto. */
  card: ChosenCard | null;
}

export interface NewAttempt extends Payment {
  /** The buyer's address, which a boleto needs unless the order already has it. */
  address?: Address;
}

export interface NewOrder extends Payment {
  buyer: Buyer;
  /** In cents. Only for a link without a fixed amount. */
  amount?: number;
}

export type AttemptStatus =
  | "processing"
  | "to_pay"
  | "challenge"
  | "paid"
  | "declined"
  | "expired"
  | "canceled";

export type Attempt = Omit<Schemas["OrderAttempt"], "status"> & { status: AttemptStatus };

export type Order = Omit<Schemas["OrderStatus"], "status" | "attempt"> & {
  status: "open" | "paid" | "expired" | "canceled";
  attempt: Attempt;
};
