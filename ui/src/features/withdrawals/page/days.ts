// The credits of a day by their sales, and the shares of the days' amounts.
import type { TransferCredit } from "../../../api/models";

/** The credits of one sale, or a credit without a sale. */
export interface CreditGroup {
  sale: string | undefined;
  credits: readonly TransferCredit[];
}

/** Groups credits by sale, in the order of each sale's first credit. */
export function bySale(credits: readonly TransferCredit[]): readonly CreditGroup[] {
  const groups = new Map<string, TransferCredit[]>();
  for (const [index, credit] of credits.entries()) {
    // A credit without a sale, such as an adjustment, is a group of its own.
    const key = credit.movement?.sale_id ?? `#${index}`;
    const group = groups.get(key);
    if (group) group.push(credit);
    else groups.set(key, [credit]);
  }
  return [...groups].map(([key, found]) => ({ sale: key.startsWith("#") ? undefined : key, credits: found }));
}

interface Sums {
  gross: number;
  fees: number;
  refunded: number;
  withheld: number;
  net: number;
  used: number;
}

const NONE: Sums = { gross: 0, fees: 0, refunded: 0, withheld: 0, net: 0, used: 0 };

export function sumOf(rows: readonly Sums[]): Sums {
  return rows.reduce(
    (sum, row) => ({
      gross: sum.gross + row.gross,
      fees: sum.fees + row.fees,
      refunded: sum.refunded + row.refunded,
      withheld: sum.withheld + row.withheld,
      net: sum.net + row.net,
      used: sum.used + row.used,
    }),
    NONE,
  );
}

/** A credit's amounts. Gross and net of a credit that is no installment are its amount. */
export function sumsOf({ installment, movement, amount }: TransferCredit): Sums {
  const net = movement?.amount ?? 0;
  return {
    gross: installment?.gross ?? net,
    fees: installment?.fees ?? 0,
    refunded: installment?.refunded ?? 0,
    withheld: installment?.withheld ?? 0,
    net,
    used: amount,
  };
}
