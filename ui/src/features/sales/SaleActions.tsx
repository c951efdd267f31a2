// The actions of a sale: cancel, dispute, and print the receipt. The first two open a modal that asks first.
import { IconCircleX, IconFlag } from "@tabler/icons-react";
import type { SaleDetail } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { ReasonedButton } from "../../components/ReasonedButton";
import { salesStrings } from "../../strings/pt-BR.sales";
import { PrintReceiptButton } from "./receipt/PrintReceiptButton";
import type { ReceiptSeller } from "./receipt/Receipt";
import { reversalDisabledReason } from "./reversalState";
import styles from "./SalePage.module.css";

const ACTIONS = [
  ["CANCEL_TRANSACTION_MODAL", salesStrings.sale.cancel, IconCircleX],
  ["DISPUTE_TRANSACTION_MODAL", salesStrings.sale.dispute, IconFlag],
] as const;

interface SaleActionsProps {
  sale: SaleDetail;
  seller: ReceiptSeller;
}

export function SaleActions({ sale, seller }: SaleActionsProps) {
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
      <PrintReceiptButton sale={sale} seller={seller} />
    </div>
  );
}
