// How the gross amount of a sale becomes its net amount, in the order in which the fees are taken.
import type { SaleDetail } from "../../api/models";
import { Panel } from "../../components/Panel";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { WhyButton } from "./explanation/WhyButton";
import styles from "./SalePage.module.css";

const words = strings.sale;
/** A sale in one of these may still be captured. */
const WAITING: ReadonlySet<SaleDetail["status"]> = new Set(["new", "created", "pending"]);

export function Amounts({ sale }: { sale: SaleDetail }) {
  const fees: [string, number][] = [
    [words.percentageFee, sale.plan_percentage_fee],
    [words.flatFee, sale.plan_flat_fee],
    [words.percentageRate, sale.plan_percentage_rate],
    [words.flatRate, sale.plan_flat_rate],
  ];
  const captured = sale.net_amount !== null;
  return (
    <Panel title={words.amounts}>
      <dl className={styles.amounts}>
        <div className={styles.gross}>
          <dt>{words.gross}</dt>
          <dd>{money(sale.amount)}</dd>
        </div>
        {captured &&
          fees.map(([label, fee]) => (
            <div key={label} className={styles.fee} data-none={fee === 0 || undefined}>
              <dt>{label}</dt>
              <dd>{money(-fee)}</dd>
            </div>
          ))}
        {captured && (
          <div className={styles.feesTotal}>
            <dt>{words.feesTotal}</dt>
            <dd>{money(-sale.fees_total)}</dd>
          </div>
        )}
        {sale.net_amount !== null && (
          <div className={styles.net}>
            <dt className={styles.netLabel}>
              <span>{words.net}</span> <WhyButton />
            </dt>
            <dd>{money(sale.net_amount)}</dd>
          </div>
        )}
      </dl>
      {!captured && (
        <p className={styles.note}>{WAITING.has(sale.status) ? words.notCapturedYet : words.neverCaptured}</p>
      )}
    </Panel>
  );
}
