// The rows of a preview: what the buyer pays and what the seller receives, for each payment type of the link.
import type { SimulationRow } from "../../api/models";

export interface PricedRow {
  type: string;
  installments: number;
  charged: number;
  net: number;
  /** The last installment. The first also has the cents that do not divide. */
  each: number;
}

/**
 * The rows that the link offers and the plan prices, in the order of the table: cards by installments, then the other
 * payment types.
 */
export function offeredRows(
  rows: readonly SimulationRow[],
  paymentTypes: readonly string[],
  installmentsMax: number,
): PricedRow[] {
  return rows.flatMap(({ payment_type: type, installments, price }) => {
    const offered = paymentTypes.includes(type) && (type !== "credit" || installments <= installmentsMax);
    if (!offered || !price) return [];
    const each = price.installment_amounts.at(-1) ?? price.charged;
    return [{ type, installments, charged: price.charged, net: price.net, each }];
  });
}
