// What rules of a reserve would have held of last month's settlements, and what they will hold of the coming ones.
import type { ReserveImpact } from "../../api/models";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import shared from "../../components/Shared.module.css";
import { businessDate, monthName } from "../../format/dates";
import { money, percent, wholeNumber } from "../../format/money";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import { DayList } from "./DayList";
import styles from "./Reserves.module.css";

const words = reservesStrings.impact;

export function ImpactOfRules({ impact, ofPlan }: { impact: ReserveImpact; ofPlan: boolean }) {
  const { companies, settled, reserved, peak, coming } = impact;
  const facts: Fact[] = [
    [words.companies, ofPlan ? wholeNumber(companies) : undefined],
    [words.settled, money(settled)],
    [
      words.reserved,
      settled > 0 ? words.shareOf(money(reserved), percent(reserved / settled)) : money(reserved),
    ],
    [words.peak, ofPlan ? undefined : money(peak)],
  ];
  return (
    <section aria-label={words.title} className={styles.stack}>
      <div>
        <h3 className={styles.heading}>{words.title}</h3>
        <p className={shared.note}>{words.hint(monthName(impact.month))}</p>
      </div>
      <FactList variant="boxed" facts={facts} />
      {!ofPlan && (
        <div>
          <h3 className={styles.heading}>{words.coming}</h3>
          {coming.length === 0 ? (
            <p className={shared.note}>{words.none}</p>
          ) : (
            <DayList
              label={words.coming}
              lines={coming.map((day) => ({
                day: day.date,
                text: (
                  <>
                    <span>{words.day(businessDate(day.date, "ddd, DD/MM/YYYY"), money(day.settled))}</span>
                    <span className={shared.dim}>
                      {words.release(businessDate(day.release_on), money(day.held))}
                    </span>
                  </>
                ),
                amount: money(day.reserved),
              }))}
            />
          )}
        </div>
      )}
      <p className={shared.note}>{ofPlan ? words.rounding : `${words.peakHint} ${words.rounding}`}</p>
    </section>
  );
}
