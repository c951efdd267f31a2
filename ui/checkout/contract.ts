// The shapes of the calls that the checkout makes. The page loads no client library; these are the gateway's words.

export type PaymentType = "credit" | "pix" | "boleto";

export interface Installments {
  count: number;
  total: number;
  first: number;
  each: number;
}

/** In cents. Null: the link does not take it. */
export interface Prices {
  pix: number | null;
  boleto: number | null;
  credit: { brands: string[]; installments: Installments[] }[];
}

export interface CardTokens {
  format: string;
  url: string;
  account_id: string | null;
  test: boolean;
}

export interface Link {
  code: string;
  status: "active" | "inactive" | "expired" | "exhausted";
  seller: { name: string };
  description: string;
  amount: number | null;
  amount_min: number | null;
  amount_max: number | null;
  payment_types: string[];
  prices: Prices | null;
  card_tokens: CardTokens | null;
  card_closed_until: string | null;
}

export interface Address {
  postal_code: string;
  street: string;
  number: string;
  complement: string | null;
  district: string;
  city: string;
  state: string;
}

export interface Buyer {
  name: string;
  document: string;
  email: string;
  phone: string;
  address: Address | null;
}

export interface ChosenCard {
  token: string;
  brand: string;
  last_four: string;
  installments: number;
}

/** How an attempt is paid, and the price that the buyer saw. */
export interface Payment {
  payment_type: PaymentType;
  total: number;
  card: ChosenCard | null;
}

export interface NewAttempt extends Payment {
  /** The buyer's address, which a boleto needs unless the order already has it. */
  address?: Address;
}

export interface NewOrder extends Payment {
  buyer: Buyer;
  /** Only if the link leaves it open. */
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

export interface Attempt {
  number: number;
  payment_type: string;
  status: AttemptStatus;
  status_label: string;
  total: number;
  installments: number;
  /** `qr` has the rows of the QR code in hexadecimal. */
  pix: { code: string; qr: string[] | null; expires_at: string } | null;
  boleto: { line: string; barcode: string; due_on: string | null; pdf_url: string } | null;
  challenge_url: string | null;
  decline: { code: string; message: string; advice: string } | null;
  paid_at: string | null;
}

export interface Order {
  id: string;
  link_code: string;
  seller: { name: string };
  description: string;
  status: "open" | "paid" | "expired" | "canceled";
  status_label: string;
  /** Nothing changes any more. */
  final: boolean;
  can_retry: boolean;
  payment_types: string[];
  /** For another attempt. Null: none can be made. */
  prices: Prices | null;
  card_tokens: CardTokens | null;
  card_closed_until: string | null;
  attempt: Attempt;
}
