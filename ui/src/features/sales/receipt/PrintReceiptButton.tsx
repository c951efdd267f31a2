// Prints the receipt of a sale. The receipt is loaded when it is asked for.
import { IconPrinter } from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { ReasonedButton } from "../../../components/ReasonedButton";
import { salesStrings } from "../../../strings/pt-BR.sales";
import type { ReceiptSeller } from "./Receipt";
import { noReceiptReason, type ReceiptSale } from "./receiptFacts";

const Receipt = lazy(() => import("./Receipt"));

interface PrintReceiptButtonProps {
  sale: ReceiptSale;
  seller: ReceiptSeller;
}

export function PrintReceiptButton({ sale, seller }: PrintReceiptButtonProps) {
  const [printing, setPrinting] = useState(false);
  const done = useCallback(() => setPrinting(false), []);
  return (
    <>
      <ReasonedButton
        variant="default"
        leftSection={<IconPrinter size={17} aria-hidden />}
        disabledReason={noReceiptReason(sale)}
        onClick={() => setPrinting(true)}
      >
        {salesStrings.sale.receipt.print}
      </ReasonedButton>
      <Suspense>{printing && <Receipt sale={sale} seller={seller} onPrinted={done} />}</Suspense>
    </>
  );
}
