// The button that opens the explanation of a sale's net amount, and the open explanation.
import { Button } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { SaleDetail } from "../../../api/models";
import { explanationStrings } from "../../../strings/pt-BR.explanation";
import styles from "./Explanation.module.css";
import { useExplanationOpen } from "./explanationAddress";

const ExplanationModal = lazy(() => import("./ExplanationModal"));

export function ExplanationButton() {
  const [, setOpen] = useExplanationOpen();
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      className={styles.button}
      leftSection={<IconHelpCircle size={16} aria-hidden />}
      onClick={() => void setOpen(true)}
    >
      {explanationStrings.explanation.title}
    </Button>
  );
}

/** The open explanation. A page renders it once, also if several buttons open it. */
export function OpenedExplanation({ sale }: { sale: SaleDetail }) {
  const [open, setOpen] = useExplanationOpen();
  if (!open || sale.net_amount === null) return null;
  return (
    <Suspense>
      <ExplanationModal sale={sale} onClose={() => void setOpen(null)} />
    </Suspense>
  );
}
