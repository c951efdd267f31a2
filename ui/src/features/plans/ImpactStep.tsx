// The cost of last month's sales or withdrawals under a change of a plan, shown before it is saved or approved. The
// step starts a job of the gateway that computes the cost, and reads the job's progress. The change can be saved or
// approved before the job ends.
import { useEffect, useState } from "react";
import { useApi } from "../../api/hooks";
import type { PlanImpact } from "../../api/models";
import { useIsNarrow } from "../../components/breakpoints";
import { FactList } from "../../components/FactList";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import { monthName } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";

const words = plansStrings.impact;
const POLL_MS = 1_000;

interface ImpactStepProps {
  /** Starts the job; rejects if it is refused. */
  start: () => Promise<PlanImpact>;
  /** Whether the plan is a receiving plan: then withdrawals are counted instead of sales. */
  receiving?: boolean;
}

function useImpact(start: () => Promise<PlanImpact>) {
  const [started, setStarted] = useState<PlanImpact>();
  const [refused, setRefused] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step starts the job once
  useEffect(() => {
    let current = true;
    start().then(
      (impact) => current && setStarted(impact),
      () => current && setRefused(true),
    );
    return () => {
      current = false;
    };
  }, []);
  const read = useApi(
    started ? "/admin/plans/impacts/{id}" : null,
    started ? { path: { id: started.id } } : undefined,
    { keepPrevious: false, fresh: true },
  );
  const impact = read.data ?? started;
  const running = impact?.status === "running" && !read.error;
  const { mutate } = read;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => void mutate(), POLL_MS);
    return () => clearInterval(timer);
  }, [running, mutate]);
  return { impact, failed: refused || read.error !== undefined || impact?.status === "failed" };
}

export function ImpactStep({ start, receiving = false }: ImpactStepProps) {
  const { impact, failed } = useImpact(start);
  const month = impact && monthName(impact.month);
  return (
    <section aria-label={words.title} className={styles.impact}>
      <div>
        <h3 className={styles.heading}>{words.title}</h3>
        {month && <p className={styles.note}>{receiving ? words.hintReceiving(month) : words.hint(month)}</p>}
      </div>
      {failed ? (
        <p role="alert" className={styles.warning}>
          {words.failed}
        </p>
      ) : !impact ? (
        <p role="status" className={styles.note}>
          {words.starting}
        </p>
      ) : impact.status === "running" ? (
        <Progress impact={impact} />
      ) : (
        <Result impact={impact} receiving={receiving} />
      )}
    </section>
  );
}

function Progress({ impact }: { impact: PlanImpact }) {
  const { companies_done: done, companies_total: total } = impact;
  return (
    <>
      <progress
        className={styles.progress}
        aria-label={words.progress}
        max={total ?? undefined}
        value={total === null ? undefined : done}
      />
      <p role="status" className={impact.stalled ? styles.warning : styles.note}>
        {impact.stalled
          ? words.stalled
          : total === null
            ? words.counting
            : words.running(wholeNumber(done), wholeNumber(total))}
      </p>
    </>
  );
}

function Result({ impact, receiving }: { impact: PlanImpact; receiving: boolean }) {
  const total = impact.companies_total ?? 0;
  if (total === 0) return <p className={styles.note}>{words.none}</p>;
  const month = monthName(impact.month);
  const companies = words.companies(wholeNumber(total), total === 1);
  if (impact.count === 0 && impact.unpriced === 0) {
    const none = receiving ? words.noWithdrawals : words.noSales;
    return <p className={styles.note}>{none(companies, month)}</p>;
  }
  return (
    <>
      <FactList
        variant="boxed"
        facts={[
          [words.sellers, difference(impact.sellers_difference)],
          [words.platform, difference(impact.platform_difference)],
          [words.touched, wholeNumber(total)],
          [receiving ? words.activeReceiving : words.active, wholeNumber(impact.companies)],
          [
            receiving ? words.countedReceiving : words.counted,
            `${wholeNumber(impact.count)} · ${money(impact.amount)}`,
          ],
        ]}
      />
      <Fees impact={impact} />
      {impact.unpriced > 0 && (
        <p className={styles.warning}>
          {words.unpriced(wholeNumber(impact.unpriced), impact.unpriced === 1)}
        </p>
      )}
      {!receiving && <p className={styles.note}>{words.excluded}</p>}
    </>
  );
}

function difference(cents: number): string {
  if (cents === 0) return words.same;
  return cents > 0 ? words.more(money(cents)) : words.less(money(-cents));
}

type Amounts = Pick<PlanImpact, "charged" | "current" | "proposed">;

function Fees({ impact }: { impact: PlanImpact }) {
  const narrow = useIsNarrow();
  const lines = impact.lines.filter(({ charged, current, proposed }) => charged || current || proposed);
  const rows: [string, Amounts][] = [
    ...lines.map((line): [string, Amounts] => [words.kinds[line.kind], line]),
    [words.total, impact],
  ];
  return narrow ? <FeeCards rows={rows} /> : <FeeTable rows={rows} />;
}

function FeeTable({ rows }: { rows: [string, Amounts][] }) {
  return (
    <ScrollRegion label={words.table} className={styles.scroll}>
      <table className={`${shared.figures} ${styles.preview}`} aria-label={words.table}>
        <thead>
          <tr>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.charged}</th>
            <th scope="col">{words.current}</th>
            <th scope="col">{words.proposed}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, { charged, current, proposed }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{money(charged)}</td>
              <td>{money(current)}</td>
              <td>{money(proposed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Cards for a narrow screen, where the table does not fit. */
function FeeCards({ rows }: { rows: [string, Amounts][] }) {
  return (
    <ul className={styles.cards} aria-label={words.table}>
      {rows.map(([name, { charged, current, proposed }]) => (
        <li key={name}>
          <h4 className={styles.heading}>{name}</h4>
          <FactList
            variant="ruled"
            facts={[
              [words.charged, money(charged)],
              [words.current, money(current)],
              [words.proposed, money(proposed)],
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
