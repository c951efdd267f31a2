// The gross amount of a sale in a list. It is plain if the seller earned the money, and dim while the sale waits or is
// disputed. It is struck out if the sale failed, was returned or was lost (format/saleOutcome.ts).
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
