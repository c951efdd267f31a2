// Shares a link from the list.
import { Modal } from "@mantine/core";
import type { PaymentLink } from "../../api/models";
import { useReturnFocus } from "../../components/forms/useReturnFocus";
import { linksStrings } from "../../strings/pt-BR.links";
import { ShareBox } from "./ShareBox";

export default function ShareModal({ link, onClose }: { link: PaymentLink; onClose: () => void }) {
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={link.description}
      size="lg"
      closeButtonProps={{ "aria-label": linksStrings.share.close }}
    >
      <ShareBox link={link} />
    </Modal>
  );
}
