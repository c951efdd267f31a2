// How a link reaches the buyer: its address to copy, a message for WhatsApp, and its QR code.
import { Button, Skeleton, TextInput } from "@mantine/core";
import { IconBrandWhatsapp, IconCopy } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { PaymentLink } from "../../api/models";
import { useBusiness } from "../../api/session";
import shared from "../../components/Shared.module.css";
import { linksStrings } from "../../strings/pt-BR.links";
import styles from "./Links.module.css";
import { publicAddress, shareMessage, whatsappAddress } from "./linkText";
import { useCopy } from "./useCopy";

const QrCode = lazy(() => import("./QrCode"));

const words = linksStrings.share;

export function ShareBox({ link }: { link: PaymentLink }) {
  const business = useBusiness();
  const { message, copy } = useCopy();
  const address = publicAddress(link.code, window.location.origin);
  return (
    <div className={styles.share}>
      <div className={styles.shareActions}>
        <TextInput
          label={words.address}
          value={address}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button leftSection={<IconCopy size={17} aria-hidden />} onClick={() => copy(address)}>
          {words.copy}
        </Button>
        <Button
          variant="default"
          component="a"
          href={whatsappAddress(shareMessage(link, business.name, address))}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconBrandWhatsapp size={17} aria-hidden />}
        >
          {words.whatsapp}
        </Button>
        <p role="status" className={shared.note}>
          {message}
        </p>
      </div>
      <figure className={styles.qrBox}>
        <Suspense fallback={<Skeleton className={styles.qr} />}>
          <QrCode text={address} label={words.qr} />
        </Suspense>
        <figcaption className={shared.note}>{words.qrHint}</figcaption>
      </figure>
    </div>
  );
}
