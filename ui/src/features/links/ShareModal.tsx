// Shares a link from the list.
import type { PaymentLink } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { linksStrings } from "../../strings/pt-BR.links";
import { ShareBox } from "./ShareBox";

export default function ShareModal({ link, onClose }: { link: PaymentLink; onClose: () => void }) {
  return (
    <DetailModal onClose={onClose} title={link.description} size="lg" closeLabel={linksStrings.share.close}>
      <ShareBox link={link} />
    </DetailModal>
  );
}
