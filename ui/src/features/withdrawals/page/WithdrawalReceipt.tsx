// The receipt of a paid withdrawal on paper.
import type { ExecutionStep, Transfer } from "../../../api/models";
import { type Fact, knownFacts } from "../../../components/facts";
import { PrintedReceipt } from "../../../components/PrintedReceipt";
import { BUSINESS_ZONE, instant } from "../../../format/dates";
import { taxId } from "../../../format/documents";
import { money } from "../../../format/money";
import { salesStrings } from "../../../strings/pt-BR.sales";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { destinationText } from "../destination";
import { bankNameFacts } from "./bankNames";

const words = withdrawalsStrings.page;
const { document: documentText, inBrasilia } = salesStrings.sale.receipt;

interface WithdrawalReceiptProps {
  transfer: Transfer;
  steps: readonly ExecutionStep[];
  onPrinted: () => void;
}

const inFull = (at: string) => inBrasilia(instant(at, BUSINESS_ZONE, "DD/MM/YYYY HH:mm:ss"));

function receiptFacts(transfer: Transfer, steps: readonly ExecutionStep[]): readonly Fact[] {
  const paid = steps.findLast(({ kind }) => kind === "paid");
  return knownFacts([
    [words.arrived, money(transfer.net_amount)],
    [words.left, money(transfer.amount)],
    [words.fee, money(transfer.fee)],
    [withdrawalsStrings.transfers.columns.destination, destinationText(transfer)],
    [withdrawalsStrings.transfers.columns.requestedAt, inFull(transfer.requested_at)],
    [words.paidAt, paid && inFull(paid.at)],
    ...bankNameFacts(transfer, steps),
    [words.key, paid?.key],
    [words.id, transfer.id],
  ]);
}

export default function WithdrawalReceipt({ transfer, steps, onPrinted }: WithdrawalReceiptProps) {
  const { business } = transfer;
  return (
    <PrintedReceipt
      title={words.receipt.title}
      company={business.name}
      document={business.document ? documentText(taxId(business.document)) : undefined}
      facts={receiptFacts(transfer, steps)}
      onPrinted={onPrinted}
    />
  );
}
