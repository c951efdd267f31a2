// Last month's sales under a plan that staff offer, next to the plan of today. Without offered plans it shows nothing.
import { Select, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useApi } from "../../api/hooks";
import type { WhatIf } from "../../api/models";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { monthName } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { feesStrings } from "../../strings/pt-BR.fees";
import styles from "./Fees.module.css";

const words = feesStrings.whatIf;

interface WhatIfPanelProps {
  businessId: string;
  solution: number;
}

export default function WhatIfPanel({ businessId, solution }: WhatIfPanelProps) {
  const [plan, setPlan] = useState<string | null>(null);
  const company = { solution, business_id: businessId };
  const offered = useApi("/business/plan/offered", { query: company });
  const read = useApi(
    plan ? "/business/plan/what-if" : null,
    plan ? { query: { ...company, plan } } : undefined,
    { keepPrevious: false },
  );
  const plans = offered.data?.data ?? [];
  if (plans.length === 0) return null;
  return (
    <Panel title={words.title} hint={words.hint}>
      <div className={styles.choice}>
        <Select
          label={words.plan}
          placeholder={words.choose}
          data={plans.map(({ id, name }) => ({ value: id, label: name }))}
          value={plan}
          onChange={setPlan}
          searchable={plans.length > 8}
        />
      </div>
      {read.data ? (
        <Comparison compared={read.data} />
      ) : read.error ? (
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      ) : (
        read.isLoading && <Skeleton height={160} mt="md" />
      )}
    </Panel>
  );
}

function Comparison({ compared }: { compared: WhatIf }) {
  const month = monthName(compared.month);
  const other = compared.other_plan.name;
  if (compared.count === 0) {
    return (
      <p role="status" className={styles.summary}>
        {words.noSales(month)}
      </p>
    );
  }
  const less = compared.sellers_difference;
  const message =
    less === 0
      ? words.same(other)
      : less > 0
        ? words.less(money(less), other)
        : words.more(money(-less), other);
  const lines = compared.lines.filter(({ current, proposed }) => current || proposed);
  const count = words.salesCount(wholeNumber(compared.count), compared.count === 1);
  return (
    <>
      <p role="status" className={styles.summary}>
        <strong>{message}</strong>
        <span className={styles.small}>{words.sales(count, money(compared.amount), month)}</span>
      </p>
      <ScrollRegion label={words.table} className={styles.scroll}>
        <table className={`${styles.table} ${styles.compared}`} aria-label={words.table}>
          <thead>
            <tr>
              <th scope="col">{words.kind}</th>
              <th scope="col">{words.current}</th>
              <th scope="col">{words.other}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.kind}>
                <th scope="row">{words.kinds[line.kind]}</th>
                <td>{money(line.current)}</td>
                <td>{money(line.proposed)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{words.total}</th>
              <td className={styles.net}>{money(compared.current)}</td>
              <td className={styles.net}>{money(compared.proposed)}</td>
            </tr>
          </tbody>
        </table>
      </ScrollRegion>
      <p className={styles.after}>
        {compared.unpriced > 0 &&
          `${words.unpriced(wholeNumber(compared.unpriced), compared.unpriced === 1)} `}
        {words.excluded}
      </p>
    </>
  );
}
