// A link to the boleto of a sale by a payment link. Its page is public and belongs to neither panel.
import { Anchor } from "@mantine/core";
import type { SaleDetail } from "../api/models";
import { boletoOrigin } from "../api/panel";
import { paymentStrings } from "../strings/pt-BR.payment";

/** Other sales by boleto were reported by acquirers, whose documents the platform does not have. */
export const hasBoleto = ({ payment_type, payment_link_code }: SaleDetail) =>
  payment_type === "boleto" && payment_link_code !== null;

export function BoletoLink({ sale }: { sale: SaleDetail }) {
  return (
    <Anchor inherit href={`${boletoOrigin}/b/${sale.id}`} target="_blank" rel="noreferrer">
      {paymentStrings.payment.seeBoleto}
    </Anchor>
  );
}
