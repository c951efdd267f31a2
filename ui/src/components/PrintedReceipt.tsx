// A receipt on paper: of a sale or of a withdrawal. It is rendered next to the app in the body. Style sheets hide it on
// the screen, and hide everything else in print.
import { useEffect } from "react";
import { createPortal } from "react-dom";
import type { Fact } from "./facts";
import styles from "./PrintedReceipt.module.css";

interface PrintedReceiptProps {
  title: string;
  company: string;
  /** The company's CPF or CNPJ with its name. */
  document: string | undefined;
  /** The first one is the amount. */
  facts: readonly Fact[];
  /** Called when the browser has printed, or the user has closed its dialog. */
  onPrinted: () => void;
}

export function PrintedReceipt({ title, company, document: taxId, facts, onPrinted }: PrintedReceiptProps) {
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
    <section className={styles.receipt} data-receipt aria-label={title}>
      <h1>{title}</h1>
      <p className={styles.seller}>{company}</p>
      {taxId && <p>{taxId}</p>}
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
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
