// The receipt of a sale on paper. It is rendered next to the app in the body. Style sheets hide it on the screen, and
// hide everything else in print.
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { taxId } from "../../../format/documents";
import { salesStrings } from "../../../strings/pt-BR.sales";
import styles from "./Receipt.module.css";
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
  /** Called when the browser has printed, or the user has closed its dialog. */
  onPrinted: () => void;
}

export default function Receipt({ sale, seller, onPrinted }: ReceiptProps) {
  useEffect(() => {
    window.addEventListener("afterprint", onPrinted);
    // The timer runs after this effect. If React removes the receipt at once, the cleanup cancels it before it prints.
    const timer = setTimeout(() => window.print());
    return () => {
      clearTimeout(timer);
      window.removeEventListener("afterprint", onPrinted);
    };
  }, [onPrinted]);
  return createPortal(
    <section className={styles.receipt} data-receipt aria-label={words.title}>
      <h1>{words.title}</h1>
      <p className={styles.seller}>{seller.name}</p>
      {seller.document && <p>{words.document(taxId(seller.document))}</p>}
      <dl className={styles.facts}>
        {receiptFacts(sale).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>,
    document.body,
  );
}
