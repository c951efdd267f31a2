// Disputes a sale: its gross amount leaves what is available, and stays blocked until the dispute has ended.
import type { ModalContentProps } from "../../../components/modals/modals";
import { UndoModal } from "./UndoModal";

export default function DisputeSaleModal({
  payload,
  ...modal
}: ModalContentProps<"DISPUTE_TRANSACTION_MODAL">) {
  return <UndoModal doing="dispute" sale={payload.sale} {...modal} />;
}
