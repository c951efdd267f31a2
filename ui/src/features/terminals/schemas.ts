// The validation of the terminals' forms, with the specification's messages.
import * as z from "zod/mini";
import { terminalStrings } from "../../strings/pt-BR.terminals";

const { enable, company, billing, name } = terminalStrings;

const PRICE_MAX = 9_999_999_999;
const NAME_CHARACTERS_MAX = 60;

export const enableSchema = z.object({
  business: z.string().check(z.minLength(1, enable.required)),
  token: z
    .string()
    .check(z.trim(), z.minLength(1, enable.required), z.regex(/^(\d{8})?$/, enable.tokenDigits)),
  serial_number: z
    .string()
    .check(z.trim(), z.minLength(1, enable.required), z.regex(/^[!-~]{0,40}$/, enable.serialInvalid)),
});

export const companySchema = z.object({
  business_id: z.string().check(z.minLength(1, company.required)),
});

export const billingSchema = z
  .object({
    billing_type: z.string().check(z.regex(/^[01]$/, billing.choose)),
    acquisition: z.string().check(z.regex(/^[01]$/, billing.choose)),
    rental_price: z.optional(
      z.number().check(z.minimum(1, billing.priceTooLow), z.maximum(PRICE_MAX, billing.priceTooLow)),
    ),
  })
  .check(
    z.refine((values) => values.billing_type !== "1" || values.acquisition !== "0", {
      path: ["acquisition"],
      message: billing.purchased,
    }),
  );

export const nameSchema = z.object({
  name: z.string().check(
    z.trim(),
    z.refine((text) => [...text].length <= NAME_CHARACTERS_MAX, { message: name.tooLong }),
  ),
});
