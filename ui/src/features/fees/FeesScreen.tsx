// The fees of a company's plan for one solution: conditions, then debit and credit by group of brands.
import { Skeleton } from "@mantine/core";
import { IconReceiptOff } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { BusinessPlan } from "../../api/models";
import { useSession } from "../../api/session";
import { FactList } from "../../components/FactList";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { money } from "../../format/money";
import { brandName, paymentText } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { feesStrings } from "../../strings/pt-BR.fees";
import styles from "./Fees.module.css";

const WhatIfPanel = lazy(() => import("./WhatIfPanel"));

const words = feesStrings.fees;

interface FeesScreenProps {
  route: string;
  solution: number;
  /** Whether the solution takes boletos. */
  boleto: boolean;
}

export function FeesScreen({ route, solution, boleto }: FeesScreenProps) {
  const { business } = useSession();
  const read = useApi(
    business ? "/business/plan" : null,
    { query: { solution, ...(business && { business_id: business.id }) } },
    { keepPrevious: false },
  );
  const plan = read.data;
  // The gateway refuses the solution with a 422 if the company has no plan in force for it.
  const missing = read.error?.fields.solution !== undefined;
  return (
    <>
      <PageHeader title={screenTitle(route)} hint={plan && words.hint(plan.plan.name)} />
      {plan ? (
        <div className={styles.page}>
          <Conditions plan={plan} boleto={boleto} />
          {business && (
            <Suspense>
              <WhatIfPanel key={business.id} businessId={business.id} solution={solution} />
            </Suspense>
          )}
          <CardFees plan={plan} />
        </div>
      ) : missing ? (
        <Panel label={screenTitle(route)}>
          <Notice icon={IconReceiptOff} title={words.noPlanTitle}>
            {words.noPlan}
          </Notice>
        </Panel>
      ) : read.error ? (
        <Panel label={screenTitle(route)}>
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        </Panel>
      ) : (
        <Skeleton height={520} radius={12} />
      )}
    </>
  );
}

function Conditions({ plan, boleto }: { plan: BusinessPlan; boleto: boolean }) {
  // A number is an amount in cents, a text is a percentage.
  const pix =
    typeof plan.pix_fee === "number" ? words.perSale(money(plan.pix_fee)) : words.percent(plan.pix_fee);
  // Under Taxa MDR without an advance, one installment of a credit sale is paid every 30 days.
  const paidMonthly = plan.mdr && plan.groups.some(({ advance }) => advance === null);
  return (
    <Panel title={words.general}>
      <FactList
        variant="ruled"
        facts={[
          [words.type, strings.feeTypes[`${plan.mdr}`]],
          [words.days, words.daysText(plan.settlement_days)],
          [words.pix, pix],
          [words.boleto, boleto ? words.perSale(money(plan.boleto_fee)) : undefined],
          [
            words.percentageRate,
            Number(plan.percentage_rate) > 0 ? words.percent(plan.percentage_rate) : undefined,
          ],
          [words.flatRate, plan.flat_rate > 0 ? money(plan.flat_rate) : undefined],
        ]}
      />
      {paidMonthly && <p className={styles.note}>{words.monthly}</p>}
    </Panel>
  );
}

/** The most installments of a credit sale. */
const INSTALLMENTS_MAX = 21;

type Group = BusinessPlan["groups"][number];

const namesOf = ({ brands }: Group) => brands.map(brandName).join(", ");

/** "Visa, Mastercard"; a longer group is 'Outras bandeiras'. */
const groupTitle = (group: Group) => (group.brands.length <= 2 ? namesOf(group) : words.otherBrands);

function CardFees({ plan: { groups } }: { plan: BusinessPlan }) {
  const percent = (rate: string | null | undefined) => (rate ? words.percent(rate) : words.none);
  const counts = Array.from({ length: INSTALLMENTS_MAX }, (_, index) => index + 1);
  return (
    <Panel title={words.cards}>
      {groups
        .filter(({ advance }) => advance)
        .map((group) => (
          <p key={group.brands.join()} className={styles.note}>
            {words.advance(groupTitle(group), percent(group.advance))}
          </p>
        ))}
      {groups
        .filter((group) => groupTitle(group) !== namesOf(group))
        .map((group) => (
          <p key={group.brands.join()} className={styles.note}>
            {words.brands(groupTitle(group), namesOf(group))}
          </p>
        ))}
      <ScrollRegion label={words.cards} className={styles.scroll}>
        <table className={styles.table} aria-label={words.cards}>
          <thead>
            <tr>
              <th scope="col">{words.payment}</th>
              {groups.map((group) => (
                <th key={group.brands.join()} scope="col">
                  {groupTitle(group)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{paymentText("debit", 1)}</th>
              {groups.map((group) => (
                <td key={group.brands.join()}>{percent(group.debit)}</td>
              ))}
            </tr>
            {counts.map((count) => (
              <tr key={count}>
                <th scope="row">{paymentText("credit", count)}</th>
                {groups.map((group) => (
                  <td key={group.brands.join()}>{percent(group.credit[count - 1])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}
