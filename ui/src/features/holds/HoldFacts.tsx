// The facts of a hold, the same in both panels.
import type { HoldDetail } from "../../api/models";
import { FactList } from "../../components/FactList";
import { Instant } from "../../components/Instant";
import { UnbrokenNumbers } from "../../components/UnbrokenNumbers";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { holdsStrings as words } from "../../strings/pt-BR.holds";

const unlessZero = (cents: number) => (cents === 0 ? undefined : money(cents));

export function HoldFacts({ hold }: { hold: HoldDetail }) {
  return (
    <FactList
      variant="ruled"
      facts={[
        [words.amount, money(hold.amount)],
        [words.ordered, hold.ordered === null ? undefined : money(hold.ordered)],
        [words.stillMissing, unlessZero(hold.missing)],
        [words.released, unlessZero(hold.released)],
        [words.paid, unlessZero(hold.paid)],
        [
          words.caseNumber,
          hold.case_number && <UnbrokenNumbers key="case">{hold.case_number}</UnbrokenNumbers>,
        ],
        [words.court, hold.court ?? undefined],
        [words.since, <Instant key="since" at={hold.placed_at} />],
        [words.until, hold.until ? businessDate(hold.until) : words.noDate],
        [words.endedAt, hold.ended_at ? <Instant key="ended" at={hold.ended_at} /> : undefined],
      ]}
    />
  );
}
