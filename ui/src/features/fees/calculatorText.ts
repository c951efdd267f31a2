// The rows of the calculator as text.
import type { SimulationRow } from "../../api/models";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { brandName, paymentText } from "../../format/payment";
import { feesStrings } from "../../strings/pt-BR.fees";

const words = feesStrings.calculator;

type Price = NonNullable<SimulationRow["price"]>;

/** "3x de R$ 10,00"; the first installment has the cents that do not divide. */
export function installmentsText({ installment_amounts: [first = 0, ...others] }: Price): string {
  const [second] = others;
  if (second === undefined) return money(first);
  if (first === second) return words.installmentOf(others.length + 1, money(first));
  return words.firstHigher(money(first), others.length, money(second));
}

/** "21/12/2026", or "de 21/12/2026 a 22/02/2027". */
export function whenText({ receivables }: Price): string {
  const dates = receivables.map(({ due_date }) => due_date);
  const [first = "", last = first] = [dates[0], dates.at(-1)];
  return first === last ? businessDate(first) : words.between(businessDate(first), businessDate(last));
}

interface ShownRows {
  /** The typed amount. */
  amount: number;
  /** The amount that the read asks for: it follows the typed one after a pause. */
  priced: number | null;
  /** Whether the rows are the answer to an earlier amount, brand or payer. */
  isPrevious: boolean;
}

/** Earlier rows stay on the screen until the new ones arrive. A copy would show them under the new title. */
export const mayCopy = ({ amount, priced, isPrevious }: ShownRows) => amount === priced && !isPrevious;

/** The rows that have a price, to paste into a message. */
export function copiedText(rows: readonly SimulationRow[], amount: number, brand: string): string {
  const lines = rows.flatMap(({ payment_type, installments, price }) =>
    price
      ? [words.copyLine(paymentText(payment_type, installments), money(price.charged), money(price.net))]
      : [],
  );
  return [words.copyTitle(money(amount), brandName(brand)), ...lines].join("\n").replaceAll("\u00a0", " ");
}
