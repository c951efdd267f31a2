// Explains the net amount of a sale: fee by fee from the gross amount, then by installment.
import { Skeleton } from "@mantine/core";
import { useApi } from "../../../api/hooks";
import type { Explanation, SaleDetail } from "../../../api/models";
import { type PanelName, panel } from "../../../api/panel";
import { DetailModal } from "../../../components/DetailModal";
import { FailureNotice } from "../../../components/Notice";
import shared from "../../../components/Shared.module.css";
import { UnbrokenNumbers } from "../../../components/UnbrokenNumbers";
import { money } from "../../../format/money";
import { outcomeOf } from "../../../format/saleOutcome";
import { shortCode } from "../../../format/text";
import { explanationStrings } from "../../../strings/pt-BR.explanation";
import { salesStrings } from "../../../strings/pt-BR.sales";
import styles from "./Explanation.module.css";
import { chargeText, ruleText } from "./rules";
import { Schedule } from "./Schedule";

/** Sellers read sales of their companies; staff read sales of any company. */
const PATHS = {
  seller: "/transactions/{id}/explanation",
  admin: "/admin/transactions/{id}/explanation",
} as const satisfies Record<PanelName, unknown>;

const words = explanationStrings.explanation;

interface ExplanationModalProps {
  sale: Pick<SaleDetail, "id" | "business_id" | "status">;
  onClose: () => void;
}

export default function ExplanationModal({ sale, onClose }: ExplanationModalProps) {
  const read = useApi(
    PATHS[panel],
    { path: { id: sale.id }, query: { business_id: sale.business_id } },
    { keepPrevious: false },
  );
  return (
    <DetailModal onClose={onClose} title={words.of(shortCode(sale.id))} size="60rem" centered>
      {read.data ? (
        <>
          <p className={styles.hint}>{planText(read.data.plan)}</p>
          <Steps explanation={read.data} earned={outcomeOf(sale.status) === "earned"} />
          <Schedule explanation={read.data} />
        </>
      ) : read.error ? (
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      ) : (
        <Skeleton height={360} />
      )}
    </DetailModal>
  );
}

/** Staff also see the plan's version. */
const planText = ({ name, version }: Explanation["plan"]) =>
  panel === "admin" ? words.planVersion(name, version) : words.plan(name);

/** The steps from gross to net. If the seller did not keep the money, the net is named as that of the capture. */
function Steps({ explanation, earned }: { explanation: Explanation; earned: boolean }) {
  // A fee of zero cents is not shown.
  const lines = explanation.lines.filter(({ charged }) => charged !== 0);
  return (
    <section aria-label={words.steps}>
      <h3 className={shared.section}>{words.steps}</h3>
      <p className={styles.end}>
        <span>{words.gross}</span>
        <strong>{money(explanation.gross)}</strong>
      </p>
      {lines.length === 0 ? (
        <p className={styles.hint}>{words.noFees}</p>
      ) : (
        <ol className={styles.steps} aria-label={words.steps}>
          {lines.map((line) => (
            <li key={line.rule}>
              <p className={styles.step}>
                <span>{ruleText(line)}</span>
                <strong>{money(-line.charged)}</strong>
              </p>
              <p className={styles.note}>
                <UnbrokenNumbers>{chargeText(line)}</UnbrokenNumbers>
              </p>
              <p className={styles.note}>{words.left(money(line.left))}</p>
            </li>
          ))}
        </ol>
      )}
      <p className={styles.end} data-net={earned || undefined}>
        <span>{earned ? words.net : salesStrings.sale.netAtCapture}</span>
        <strong>{money(explanation.net)}</strong>
      </p>
    </section>
  );
}
