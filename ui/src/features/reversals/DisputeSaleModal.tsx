// Disputes a sale: its gross amount leaves the available balance and stays blocked until the dispute ends.
import type { ModalContentProps } from "../../components/modals/modals";
import { ReversalModal } from "./ReversalModal";

export default function DisputeSaleModal({
  payload,
  ...modal
}: ModalContentProps<"DISPUTE_TRANSACTION_MODAL">) {
  return <ReversalModal reversal="dispute" sale={payload.sale} {...modal} />;
}
