// The validation of a manual adjustment, with its messages.
import * as z from "zod/mini";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = balanceStrings.manualTransfer;
const common = withdrawalsStrings.requestTransfer;
/** In cents: the gateway's smallest amount of an adjustment (`Cents::AMOUNT_MIN`). */
const MINIMUM = 100;

export interface ManualTransferValues {
  direction: "out" | "in";
  amount: number | undefined;
  description: string;
  password: string;
  allow_negative: boolean;
}

export const EMPTY_MANUAL_TRANSFER: ManualTransferValues = {
  direction: "out",
  amount: undefined,
  description: "",
  password: "",
  allow_negative: false,
};

export const manualTransferSchema = z.object({
  direction: z.enum(["out", "in"]),
  amount: z.number(common.required).check(z.minimum(MINIMUM, words.minimum(money(MINIMUM)))),
  description: z.string().check(z.trim(), z.minLength(1, words.descriptionRequired)),
  password: z.string().check(z.minLength(1, common.passwordRequired)),
  allow_negative: z.boolean(),
});
