// The reason that may be given for a reversal.
import * as z from "zod/mini";
import { reversalsStrings } from "../../strings/pt-BR.reversals";

export const REASON_LENGTH_MAX = 200;

export const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.maxLength(REASON_LENGTH_MAX, reversalsStrings.reversal.reasonTooLong)),
});
