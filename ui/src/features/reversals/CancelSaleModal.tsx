// Cancels a sale: its net amount leaves the available balance.
import type { ModalContentProps } from "../../components/modals/modals";
import { ReversalModal } from "./ReversalModal";

export default function CancelSaleModal({
  payload,
  ...modal
}: ModalContentProps<"CANCEL_TRANSACTION_MODAL">) {
  return <ReversalModal reversal="cancel" sale={payload.sale} {...modal} />;
}
