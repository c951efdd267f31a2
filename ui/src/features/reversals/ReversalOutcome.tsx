// The result of a reversal: done, or impossible because the balance does not suffice.
import { Button, Group } from "@mantine/core";
import { IconCircleCheck, IconWalletOff } from "@tabler/icons-react";
import type { BalanceShort, ReversalPreview, SaleDetail } from "../../api/models";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Notice } from "../../components/Notice";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import type { Reversal } from "./calls";
import { doneText, isPart } from "./effect";

const words = reversalsStrings.reversal;

interface ReversalDoneProps {
  reversal: Reversal;
  sale: SaleDetail;
  /** The preview that was confirmed. */
  preview: ReversalPreview;
  onBack: () => void;
}

export function ReversalDone({ reversal, sale, preview, onBack }: ReversalDoneProps) {
  return (
    <div role="status">
      <Notice
        icon={IconCircleCheck}
        title={reversal === "cancel" && isPart(preview) ? words.part.doneTitle : words[reversal].doneTitle}
        heading="h3"
        action={<Back onBack={onBack} />}
      >
        <p>{doneText(reversal, preview)}</p>
        {sale.payment_type === "credit" && <p>{words[reversal].cardRefund}</p>}
      </Notice>
    </div>
  );
}

/** Undefined for roles that may not see the balance. */
export type Shortfall = (BalanceShort & { released: number }) | undefined;

interface InsufficientBalanceProps {
  shortfall: Shortfall;
  /** Undefined if no part of the sale can go back. */
  onPart: (() => void) | undefined;
  onBack: () => void;
}

export function InsufficientBalance({ shortfall, onPart, onBack }: InsufficientBalanceProps) {
  return (
    <div role="alert">
      <Notice
        icon={IconWalletOff}
        title={words.insufficientTitle}
        heading="h3"
        action={
          <Group gap="sm" justify="center">
            {onPart && (
              <Button variant="default" onClick={onPart}>
                {words.part.instead}
              </Button>
            )}
            <Back onBack={onBack} />
          </Group>
        }
      >
        <p>{words.insufficientNeed}</p>
        <p>{words.insufficientAdvice}</p>
        {shortfall ? <Missing shortfall={shortfall} /> : <p>{words.unseen}</p>}
      </Notice>
    </div>
  );
}

function Missing({
  shortfall: { needed, available, released, covered_on },
}: {
  shortfall: NonNullable<Shortfall>;
}) {
  const figures: Fact[] = [
    [words.needed, money(needed)],
    // `available` includes the amount that is held for this sale. No other sale can use that amount.
    [released > 0 ? words.availableForSale : words.available, money(available)],
    [words.missing, money(needed - available)],
  ];
  return (
    <>
      <FactList facts={figures} variant="boxed" />
      <p>
        <strong>{covered_on ? words.coveredOn(businessDate(covered_on)) : words.neverCovered}</strong>
      </p>
    </>
  );
}

function Back({ onBack }: { onBack: () => void }) {
  return (
    <Button onClick={onBack} autoFocus>
      {words.backToSale}
    </Button>
  );
}
