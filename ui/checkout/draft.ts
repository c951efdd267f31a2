// The buyer's typed fields for a link, except the card. The tab keeps them for a reload or a return to the link's page.
import { type BuyerFields, NO_BUYER } from "./buyer";
import type { PaymentType } from "./contract";
import { PAYMENT_TYPES } from "./prices";
import { ofTab, remember, remembered } from "./storage";

export interface Draft {
  buyer: BuyerFields;
  /** In cents. Only for a link without a fixed amount. */
  amount: number | undefined;
  type: PaymentType | undefined;
}

const nameOf = (code: string) => `razao-checkout:${code}`;

/** Texts of the shape of `empty`. Anything else, such as a value of an older version, is replaced from `empty`. */
function textsOf<Texts extends object>(empty: Texts, found: unknown): Texts {
  const values = (typeof found === "object" && found !== null ? found : {}) as Record<string, unknown>;
  const entries = Object.entries(empty).map(([name, value]) => {
    if (typeof value === "object") return [name, textsOf(value as object, values[name])];
    return [name, typeof values[name] === "string" ? values[name] : value];
  });
  return Object.fromEntries(entries) as Texts;
}

export function draftOf(code: string): Draft {
  const found = remembered<Partial<Record<keyof Draft, unknown>>>(ofTab, nameOf(code)) ?? {};
  return {
    buyer: textsOf(NO_BUYER, found.buyer),
    amount: Number.isSafeInteger(found.amount) ? (found.amount as number) : undefined,
    type: PAYMENT_TYPES.find((type) => type === found.type),
  };
}

export const keepDraft = (code: string, draft: Draft) => remember(ofTab, nameOf(code), draft);
