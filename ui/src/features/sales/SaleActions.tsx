// The actions of a sale: cancel and dispute. Each opens a modal that asks first.
import { IconCircleX, IconFlag } from "@tabler/icons-react";
import type { SaleDetail } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { ReasonedButton } from "../../components/ReasonedButton";
import { salesStrings } from "../../strings/pt-BR.sales";
import { reversalDisabledReason } from "./reversalState";
import styles from "./SalePage.module.css";

const ACTIONS = [
  ["CANCEL_TRANSACTION_MODAL", salesStrings.sale.cancel, IconCircleX],
  ["DISPUTE_TRANSACTION_MODAL", salesStrings.sale.dispute, IconFlag],
] as const;

export function SaleActions({ sale }: { sale: SaleDetail }) {
  const modals = useModals();
  const disabledReason = reversalDisabledReason(sale.status);
  return (
    <div className={styles.actions}>
      {ACTIONS.map(([view, label, Icon]) => (
        <ReasonedButton
          key={view}
          variant="default"
          leftSection={<Icon size={17} aria-hidden />}
          disabledReason={disabledReason}
          onClick={() => modals.open(view, { sale })}
        >
          {label}
        </ReasonedButton>
      ))}
    </div>
  );
}
