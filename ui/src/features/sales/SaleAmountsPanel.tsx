// The amounts of a sale from gross to net, fee by fee, and the remainder after a reversal.
import type { SaleDetail } from "../../api/models";
import { panel } from "../../api/panel";
import { Panel } from "../../components/Panel";
import { money } from "../../format/money";
import { outcomeOf } from "../../format/saleOutcome";
import { salesStrings } from "../../strings/pt-BR.sales";
import { type AmountLine, amountsOf, type SaleAmounts } from "./amounts";
import { ExplanationButton } from "./explanation/ExplanationButton";
import styles from "./SalePage.module.css";

const words = salesStrings.sale;

export function SaleAmountsPanel({ sale }: { sale: SaleDetail }) {
  const amounts = amountsOf(sale);
  return (
    <Panel title={words.amounts}>
      <dl className={styles.amounts}>
        <div className={styles.gross}>
          <dt>{words.gross}</dt>
          <dd>{money(sale.amount)}</dd>
        </div>
        {amounts && <Captured amounts={amounts} />}
      </dl>
      {!amounts && (
        <p className={styles.note}>
          {outcomeOf(sale.status) === "waiting" ? words.notCapturedYet : words.neverCaptured}
        </p>
      )}
    </Panel>
  );
}

function Captured({ amounts: { outcome, fees, feesTotal, net, after, result } }: { amounts: SaleAmounts }) {
  const isKept = outcome === "earned" && after.length === 0;
  return (
    <>
      <Lines lines={fees} />
      {fees.length > 1 && (
        <div className={styles.feesTotal}>
          <dt>{words.feesTotal}</dt>
          <dd>{money(-feesTotal)}</dd>
        </div>
      )}
      <div className={isKept ? styles.net : styles.netAtCapture}>
        <dt className={styles.netLabel}>
          <span>{isKept ? words.net : words.netAtCapture}</span> <ExplanationButton />
        </dt>
        <dd>{money(net)}</dd>
      </div>
      <Lines lines={after} />
      {result !== null && (
        <div className={styles.result}>
          <dt>{words.result[panel]}</dt>
          <dd>{money(result)}</dd>
        </div>
      )}
    </>
  );
}

function Lines({ lines }: { lines: readonly AmountLine[] }) {
  return lines.map(({ label, cents }) => (
    <div key={label} className={styles.fee}>
      <dt>{label}</dt>
      <dd>{money(cents)}</dd>
    </div>
  ));
}
