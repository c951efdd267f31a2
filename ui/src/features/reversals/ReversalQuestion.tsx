// The question before a reversal: the warning, the sale, and three balances before and after. Roles without access to
// balances see the question without the balances.
import { Skeleton, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { ReversalPreview, SaleDetail } from "../../api/models";
import { BoletoLink, hasBoleto } from "../../components/BoletoLink";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { money } from "../../format/money";
import { brandName, paymentText } from "../../format/payment";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import type { Reversal } from "./calls";
import { effectText, isPart } from "./effect";
import styles from "./Reversal.module.css";

const words = reversalsStrings.reversal;
const SHOWN = ["available", "receivable", "blocked"] as const;

interface ReversalQuestionProps {
  reversal: Reversal;
  sale: SaleDetail;
  /** Undefined while it loads; null if it could not be read. */
  preview: ReversalPreview | null | undefined;
  /** The field of the amount. */
  children: ReactNode;
}

export function ReversalQuestion({ reversal, sale, preview, children }: ReversalQuestionProps) {
  return (
    <>
      {words[reversal].when && <p className={styles.effect}>{words[reversal].when}</p>}
      <p className={styles.effect}>
        <strong>{words[reversal].irreversible}</strong> {preview && effectText(reversal, preview)}
        {sale.payment_type === "credit" && ` ${words[reversal].cardRefund}`}
      </p>
      <Facts sale={sale} left={preview?.left} />
      {children}
      {preview && isPart(preview) && reversal === "cancel" && <Sources preview={preview} />}
      {preview === undefined && <Skeleton height={168} radius={10} />}
      {preview?.balance && <Effect balance={preview.balance} />}
    </>
  );
}

function Facts({ sale, left = sale.amount }: { sale: SaleDetail; left: number | undefined }) {
  const { card_brand, installments } = sale.payment_method;
  const facts: Fact[] = [
    [words.payment, paymentText(sale.payment_type, installments)],
    [words.brand, card_brand && sale.payment_type !== "boleto" && brandName(card_brand)],
    [words.amount, money(sale.amount)],
    [words.left, left < sale.amount && money(left)],
    [words.net, sale.net_amount !== null && money(sale.net_amount)],
    [words.boleto, hasBoleto(sale) && <BoletoLink key="boleto" sale={sale} />],
  ];
  return <FactList facts={facts} label={words.sale} variant="boxed" />;
}

/** Which money pays for a part. */
function Sources({ preview: { needed, taken_total, fees_returned, amount } }: { preview: ReversalPreview }) {
  const facts: Fact[] = [
    [words.part.fromInstallments, money(taken_total)],
    [words.part.fromBalance, money(needed - taken_total)],
    [words.part.fromFees, money(fees_returned)],
    [words.part.total, money(amount)],
  ];
  return <FactList facts={facts} label={words.part.sources} variant="boxed" total />;
}

function Effect({ balance: { before, after } }: { balance: NonNullable<ReversalPreview["balance"]> }) {
  return (
    <Table className={styles.preview} aria-label={words.preview}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{words.balance}</Table.Th>
          <Table.Th scope="col">{words.before}</Table.Th>
          <Table.Th scope="col">{words.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {SHOWN.map((balance) => (
          <Table.Tr key={balance}>
            <Table.Th scope="row">{words.balances[balance]}</Table.Th>
            <Table.Td>{money(before[balance])}</Table.Td>
            <Table.Td data-changed={before[balance] !== after[balance] || undefined}>
              {money(after[balance])}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
