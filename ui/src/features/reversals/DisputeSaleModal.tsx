// Disputes a sale: its gross amount leaves what is available, and stays blocked until the dispute has ended.
import type { ModalContentProps } from "../../components/modals/modals";
import { ReversalModal } from "./ReversalModal";

export default function DisputeSaleModal({
  payload,
  ...modal
}: ModalContentProps<"DISPUTE_TRANSACTION_MODAL">) {
  return <ReversalModal reversal="dispute" sale={payload.sale} {...modal} />;
}
