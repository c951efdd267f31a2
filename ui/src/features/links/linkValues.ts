// The form of a payment link: its values as typed, its validation, and the body that is sent. The gateway validates it
// again.
import * as z from "zod/mini";
import type { PaymentLink } from "../../api/models";
import { businessDate, businessToday, dateOfTyped } from "../../format/dates";
import { wholeNumber } from "../../format/money";
import { linksStrings } from "../../strings/pt-BR.links";

const words = linksStrings.form;

export const DESCRIPTION_CHARS_MAX = 120;
export const USE_LIMIT_MAX = 1_000_000;
/** The most installments of a credit sale. */
export const INSTALLMENTS_MAX = 21;

export const NEW_LINK: LinkValues = {
  kind: "fixed",
  description: "",
  amount: undefined,
  amount_min: undefined,
  amount_max: undefined,
  payment_types: ["credit", "pix", "boleto"],
  installments_max: "1",
  payer: "seller",
  expires_on: "",
  use_limit: "",
};

export function valuesOf(link: PaymentLink): LinkValues {
  return {
    kind: link.amount === null ? "open" : "fixed",
    description: link.description,
    amount: link.amount ?? undefined,
    amount_min: link.amount_min ?? undefined,
    amount_max: link.amount_max ?? undefined,
    payment_types: link.payment_types,
    installments_max: String(link.installments_max),
    payer: link.payer,
    expires_on: link.expires_on ? businessDate(link.expires_on, "DDMMYYYY") : "",
    use_limit: link.use_limit === null ? "" : String(link.use_limit),
  };
}

const isLimit = (text: string) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= USE_LIMIT_MAX;

/** `saved`: the link that is edited. It may keep an expiry date in the past. Its limit must not be below its uses. */
export function linkSchema(now: Date, saved?: PaymentLink) {
  const today = businessToday(now);
  const uses = saved?.uses ?? 0;
  const issue = (path: string, message: string) => ({ path: [path], message });
  return z
    .object({
      kind: z.enum(["fixed", "open"]),
      description: z.string().check(
        z.trim(),
        z.minLength(1, words.descriptionRequired),
        z.refine((typed) => [...typed].length <= DESCRIPTION_CHARS_MAX, words.descriptionTooLong),
      ),
      amount: z.optional(z.number()),
      amount_min: z.optional(z.number()),
      amount_max: z.optional(z.number()),
      payment_types: z.array(z.string()).check(z.minLength(1, words.paymentTypesRequired)),
      installments_max: z.string(),
      payer: z.enum(["seller", "buyer"]),
      /** The typed digits, "31122026". */
      expires_on: z.string().check(
        z.refine((digits) => digits === "" || dateOfTyped(digits) !== undefined, words.dateInvalid),
        z.refine((digits) => {
          const date = dateOfTyped(digits);
          return date === undefined || date >= today || date === saved?.expires_on;
        }, words.datePast),
      ),
      use_limit: z.string().check(
        z.refine((text) => text === "" || isLimit(text), words.useLimitInvalid),
        z.refine((text) => !isLimit(text) || Number(text) >= uses, words.limitBelowUses(wholeNumber(uses))),
      ),
    })
    .check(
      z.refine(({ kind, amount }) => kind === "open" || amount, issue("amount", words.amountRequired)),
      z.refine(
        ({ kind, amount_min, amount_max }) =>
          kind === "fixed" || !amount_min || !amount_max || amount_min <= amount_max,
        issue("amount_max", words.boundsReversed),
      ),
    );
}

export type LinkValues = z.infer<ReturnType<typeof linkSchema>>;

export function bodyOf(values: LinkValues) {
  const open = values.kind === "open";
  const byCard = values.payment_types.includes("credit");
  return {
    description: values.description.trim(),
    amount: open ? null : (values.amount ?? null),
    amount_min: open ? (values.amount_min ?? null) : null,
    amount_max: open ? (values.amount_max ?? null) : null,
    payment_types: values.payment_types,
    installments_max: byCard ? Number(values.installments_max) : 1,
    payer: values.payer,
    expires_on: dateOfTyped(values.expires_on) ?? null,
    use_limit: values.use_limit === "" ? null : Number(values.use_limit),
  };
}
