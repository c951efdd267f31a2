// The texts of the credits of a withdrawal: the sale, its payment, and the installment.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useMayOpen } from "../../../api/access";
import type { TransferCredit } from "../../../api/models";
import { useTimeZone } from "../../../api/session";
import { instant } from "../../../format/dates";
import { brandName, paymentText } from "../../../format/payment";
import { shortCode } from "../../../format/text";
import { balanceStrings } from "../../../strings/pt-BR.balance";
import { paymentStrings } from "../../../strings/pt-BR.payment";
/** The short code of a sale, as a link if the user may open the sale. */
export function SaleLink({ sale }: { sale: string }) {
  const code = shortCode(sale);
  const mayOpen = useMayOpen("/vendas/:id");
  if (!mayOpen) return <span>{code}</span>;
  return (
    <Anchor
      component={Link}
      to={`/vendas/${sale}`}
      inherit
      aria-label={balanceStrings.statement.openSale(code)}
    >
      {code}
    </Anchor>
  );
}

/** "Crédito 2x · Mastercard · final 3856 · 26/10/2026 14:24" */
export function SaleText({ credit: { installment } }: { credit: TransferCredit }) {
  const zone = useTimeZone();
  if (!installment) return null;
  const { payment_type, installments, card_brand, card_last_four, sold_at } = installment;
  const parts = [
    paymentText(payment_type, installments),
    card_brand && brandName(card_brand),
    card_last_four && paymentStrings.payment.endingIn(card_last_four),
    instant(sold_at, zone),
  ];
  return <>{parts.filter(Boolean).join(" · ")}</>;
}
