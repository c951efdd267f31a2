// The validation of a withdrawal request, with its messages.
import * as z from "zod/mini";
import type { TransferQuote } from "../../api/models";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.requestTransfer;

export interface WithdrawalValues {
  amount: number | undefined;
  destination: string;
  password: string;
}

export const EMPTY_WITHDRAWAL: WithdrawalValues = { amount: undefined, destination: "", password: "" };

export function withdrawalSchema({ minimum, available }: Pick<TransferQuote, "minimum" | "available">) {
  return z.object({
    amount: z
      .number(words.required)
      .check(z.minimum(minimum, words.minimum(money(minimum))), z.maximum(available, words.aboveBalance)),
    // 0 bank account, 1 PIX key.
    destination: z.enum(["0", "1"], words.destinationRequired),
    password: z.string().check(z.minLength(1, words.passwordRequired)),
  });
}
