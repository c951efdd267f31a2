// A company's balance in four figures. The blocked amount is the sum of held_by_staff and in_dispute.
import type { BalanceTotals } from "../../api/models";
import { BlockedNote } from "../../components/BlockedNote";
import { Figure, Figures } from "../../components/Figure";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";

const words = balanceStrings.balance;

interface BalanceFiguresProps {
  totals: BalanceTotals | undefined;
  /** The balances could not be read: shows dashes instead of skeletons. */
  failed: boolean;
}

export function BalanceFigures({ totals, failed }: BalanceFiguresProps) {
  const shown = (cents: number | undefined) =>
    cents === undefined ? (failed ? strings.list.none : undefined) : money(cents);
  return (
    <Figures label={words.figures}>
      <Figure
        label={words.available}
        value={shown(totals?.available)}
        note={words.availableHint(totals?.available)}
        strong
      />
      <Figure label={words.receivable} value={shown(totals?.receivable)} note={words.receivableHint} />
      <Figure label={words.inTransfer} value={shown(totals?.in_transfer)} note={words.inTransferHint} />
      <Figure label={words.blocked} value={shown(totals?.blocked)} note={<BlockedNote balance={totals} />} />
    </Figures>
  );
}
