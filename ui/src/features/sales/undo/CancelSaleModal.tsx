// Cancels a sale: its net amount leaves what is available, and the buyer is refunded.
import type { ModalContentProps } from "../../../components/modals/modals";
import { UndoModal } from "./UndoModal";

export default function CancelSaleModal({
  payload,
  ...modal
}: ModalContentProps<"CANCEL_TRANSACTION_MODAL">) {
  return <UndoModal doing="cancel" sale={payload.sale} {...modal} />;
}
