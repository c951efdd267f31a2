// The validation of the terminals' forms.
import * as z from "zod/mini";
import { terminalStrings } from "../../strings/pt-BR.terminals";

const { enable, company, billing, name } = terminalStrings;

const TOKEN_DIGITS = 8;
export const SERIAL_CHARS_MAX = 40;
/** In cents. */
const PRICE_MAX = 9_999_999_999;
const NAME_CHARS_MAX = 60;

// Both accept an empty text, for which `minLength` has its own message. A serial number is printable ASCII without
// spaces.
const TOKEN = new RegExp(`^(\\d{${TOKEN_DIGITS}})?$`);
const SERIAL_NUMBER = new RegExp(`^[!-~]{0,${SERIAL_CHARS_MAX}}$`);

export const enableSchema = z.object({
  business: z.string().check(z.minLength(1, enable.required)),
  token: z.string().check(z.trim(), z.minLength(1, enable.required), z.regex(TOKEN, enable.tokenDigits)),
  serial_number: z
    .string()
    .check(z.trim(), z.minLength(1, enable.required), z.regex(SERIAL_NUMBER, enable.serialInvalid)),
});

export const companySchema = z.object({
  business_id: z.string().check(z.minLength(1, company.required)),
});

export const billingSchema = z
  .object({
    billing_type: z.string().check(z.regex(/^[01]$/, billing.choose)),
    acquisition: z.string().check(z.regex(/^[01]$/, billing.choose)),
    rental_price: z.optional(
      z.number().check(z.minimum(1, billing.priceInvalid), z.maximum(PRICE_MAX, billing.priceInvalid)),
    ),
  })
  .check(
    // A purchased terminal (acquisition 0) cannot be billed as a rental (billing type 1).
    z.refine((values) => values.billing_type !== "1" || values.acquisition !== "0", {
      path: ["acquisition"],
      message: billing.purchased,
    }),
  );
export type BillingValues = z.infer<typeof billingSchema>;

export const nameSchema = z.object({
  name: z.string().check(
    z.trim(),
    // Counts code points, as the gateway does, and not UTF-16 units.
    z.refine((text) => [...text].length <= NAME_CHARS_MAX, { message: name.tooLong }),
  ),
});
