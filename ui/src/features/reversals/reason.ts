// The optional reason of a reversal.
import * as z from "zod/mini";
import { reversalsStrings } from "../../strings/pt-BR.reversals";

export const REASON_CHARS_MAX = 200;

export const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.maxLength(REASON_CHARS_MAX, reversalsStrings.reversal.reasonTooLong)),
});
