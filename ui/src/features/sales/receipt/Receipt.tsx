// The receipt of a sale on paper.
import { PrintedReceipt } from "../../../components/PrintedReceipt";
import { taxId } from "../../../format/documents";
import { salesStrings } from "../../../strings/pt-BR.sales";
import { type ReceiptSale, receiptFacts } from "./receiptFacts";

const words = salesStrings.sale.receipt;

/** The company that sold. `document` is null if the company's record no longer exists. */
export interface ReceiptSeller {
  name: string;
  document: string | null;
}

interface ReceiptProps {
  sale: ReceiptSale;
  seller: ReceiptSeller;
  onPrinted: () => void;
}

export default function Receipt({ sale, seller, onPrinted }: ReceiptProps) {
  return (
    <PrintedReceipt
      title={words.title}
      company={seller.name}
      document={seller.document ? words.document(taxId(seller.document)) : undefined}
      facts={receiptFacts(sale)}
      onPrinted={onPrinted}
    />
  );
}
