// The gross amount of a sale in a list: plain if earned, dim while the sale is open, struck out if the money is not
// the seller's.
import type { SaleRow } from "../api/models";
import { money } from "../format/money";
import { outcomeOf } from "../format/saleOutcome";
import styles from "./SaleAmount.module.css";

export function SaleAmount({ sale }: { sale: Pick<SaleRow, "amount" | "status"> }) {
  return (
    <span className={styles.amount} data-outcome={outcomeOf(sale.status)}>
      {money(sale.amount)}
    </span>
  );
}
