// The latest dispute of a sale, and the refunds that the acquirer was asked for.
import { IconArrowBackUp, IconFlag } from "@tabler/icons-react";
import type { SaleDetail } from "../../api/models";
import { panel } from "../../api/panel";
import { Instant } from "../../components/Instant";
import { Strip } from "../../components/Strip";
import { authorText } from "../../format/author";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import { salesStrings } from "../../strings/pt-BR.sales";
import { disputeCodeText } from "./eventText";
import styles from "./SalePage.module.css";

const words = reversalsStrings.reversalStatus;

type Dispute = NonNullable<SaleDetail["dispute"]>;
type Refund = SaleDetail["refunds"][number];

const DISPUTE_TONES = {
  open: "alarm",
  won: "good",
  lost: "bad",
  closed: "quiet",
} as const satisfies Record<Dispute["stage"], unknown>;
const REFUND_TONES = { asked: "wait", done: "good", refused: "bad" } as const satisfies Record<
  Refund["status"],
  unknown
>;

export function ReversalStatus({ sale: { dispute, refunds, amount } }: { sale: SaleDetail }) {
  if (!dispute && refunds.length === 0) return null;
  return (
    <section className={styles.reversalStatus} aria-label={words.label}>
      {dispute && <DisputeStatus dispute={dispute} gross={money(amount)} />}
      {refunds.map((refund) => (
        <RefundStatus key={refund.id} refund={refund} />
      ))}
    </section>
  );
}

function DisputeStatus({ dispute, gross }: { dispute: Dispute; gross: string }) {
  const { stage, author, opened_at, id } = dispute;
  const code = disputeCodeText(id);
  return (
    <Strip tone={DISPUTE_TONES[stage]} icon={<IconFlag size={20} aria-hidden />} title={words.dispute[stage]}>
      <p>{words.disputeText[stage](gross)}</p>
      <p className={styles.stripNote}>
        {words.openedBy(authorText(author))} · {words.since} <Instant at={opened_at} />
        {code && ` · ${code}`}
      </p>
    </Strip>
  );
}

function RefundStatus({ refund }: { refund: Refund }) {
  const { status, amount, author, tries, reason, updated_at } = refund;
  return (
    <Strip
      tone={REFUND_TONES[status]}
      icon={<IconArrowBackUp size={20} aria-hidden />}
      title={words.refund[status](money(amount))}
    >
      <p>{words.refundText[panel][status]}</p>
      <p className={styles.stripNote}>
        {words.requestedBy(authorText(author))} · {reason && `${salesStrings.sale.reason(reason)} · `}
        {/* Only staff see the number of tries. */}
        {panel === "admin" && tries > 0 && `${words.tries(tries)} · `}
        {words.updated} <Instant at={updated_at} />
      </p>
    </Strip>
  );
}
