// The form of a manual transfer: its values, and their validation with its messages.
import * as z from "zod/mini";
import type { FormValues } from "../../components/forms/schemaOf";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = balanceStrings.manualTransfer;
const common = withdrawalsStrings.requestTransfer;
/** The smallest amount in cents by direction: the domain's `MANUAL_REMOVAL_MIN` and `Cents::AMOUNT_MIN`. */
const MINIMUM = { out: 100, in: 1 } as const;

export const manualTransferSchema = z
  .object({
    direction: z.enum(["out", "in"]),
    amount: z.number(common.required),
    description: z.string().check(z.trim(), z.minLength(1, words.descriptionRequired)),
    password: z.string().check(z.minLength(1, common.passwordRequired)),
    allow_negative: z.boolean(),
  })
  .check(minimumOf("out"), minimumOf("in"));
export type ManualTransferValues = FormValues<typeof manualTransferSchema>;

export const EMPTY_MANUAL_TRANSFER: ManualTransferValues = {
  direction: "out",
  amount: undefined,
  description: "",
  password: "",
  allow_negative: false,
};

/** Also checked if other fields fail, so that all errors appear at once. */
function minimumOf(checked: "out" | "in") {
  return z.refine<{ direction: "out" | "in"; amount: number | undefined }>(
    ({ direction, amount }) => direction !== checked || amount === undefined || amount >= MINIMUM[checked],
    { error: words.minimum(money(MINIMUM[checked])), path: ["amount"], when: () => true },
  );
}
