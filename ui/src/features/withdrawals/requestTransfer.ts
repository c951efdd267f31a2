// The validation of a withdrawal request, with its messages, and its net amount.
import * as z from "zod/mini";
import type { TransferQuote } from "../../api/models";
import type { FormValues } from "../../components/forms/schemaOf";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.requestTransfer;

export function withdrawalSchema({ minimum, available }: Pick<TransferQuote, "minimum" | "available">) {
  return z.object({
    amount: z
      .number(words.required)
      .check(z.minimum(minimum, words.minimum(money(minimum))), z.maximum(available, words.aboveBalance)),
    // 0 bank account, 1 PIX key.
    destination: z.string().check(z.regex(/^[01]$/, words.destinationRequired)),
    password: z.string().check(z.minLength(1, words.passwordRequired)),
  });
}

export type WithdrawalValues = FormValues<ReturnType<typeof withdrawalSchema>>;

export const EMPTY_WITHDRAWAL: WithdrawalValues = { amount: undefined, destination: "", password: "" };

/** The net amount of a withdrawal: zero unless the amount exceeds the fee. */
export function netOf(amount: number | undefined, fee: number): number {
  return amount !== undefined && amount > fee ? amount - fee : 0;
}
