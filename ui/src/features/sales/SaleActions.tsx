// The actions of a sale: cancel, dispute, end a dispute, and print the receipt. All but the last open a modal that asks
// first.
import { IconCircleX, IconFlag, IconFlagCheck } from "@tabler/icons-react";
import { useMayCall } from "../../api/access";
import type { SaleDetail } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { salesStrings } from "../../strings/pt-BR.sales";
import { PrintReceiptButton } from "./receipt/PrintReceiptButton";
import type { ReceiptSeller } from "./receipt/Receipt";
import { reversalDisabledReason } from "./reversalState";

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
  const mayEndDispute = useMayCall("POST /admin/transactions/{id}/dispute/end");
  return (
    <div className={shared.actions}>
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
      {mayEndDispute && sale.status === "dispute" && (
        <ReasonedButton
          variant="default"
          leftSection={<IconFlagCheck size={17} aria-hidden />}
          onClick={() => modals.open("END_DISPUTE_MODAL", { sale })}
        >
          {salesStrings.sale.endDispute}
        </ReasonedButton>
      )}
      <PrintReceiptButton sale={sale} seller={seller} />
    </div>
  );
}
