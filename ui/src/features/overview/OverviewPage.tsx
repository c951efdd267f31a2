// The home of a seller: what can be withdrawn, what is to come, how sales are going.
import { IconReceipt } from "@tabler/icons-react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { Overview } from "../../api/models";
import { useBusiness } from "../../api/session";
import { Figure, Figures, Variation } from "../../components/Figure";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { businessDateInWords } from "../../format/dates";
import { money, variation, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { Breakdown } from "./Breakdown";
import { DailyVolume } from "./DailyVolume";
import { LatestSales } from "./LatestSales";
import styles from "./OverviewPage.module.css";
import { byBrand, byPaymentType } from "./shares";

const words = strings.overview;

export default function OverviewPage() {
  const business = useBusiness();
  const seesBalance = useMayCall("GET /balance/history");
  const { data, error, mutate } = useApi("/overview", { query: { business_id: business.id } });
  const title = <PageHeader title={words.title} hint={data ? businessDateInWords(data.today) : " "} />;

  if (error && !data) {
    return (
      <>
        {title}
        <Panel label={words.title}>
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        </Panel>
      </>
    );
  }
  // Until the answer is there, the role says whether balances will be part of it.
  const withBalance = data ? data.balance !== null : seesBalance;
  return (
    <>
      {title}
      {withBalance && <Balance overview={data} />}
      <SalesFigures overview={data} />
      {data && data.latest_sales.length === 0 ? (
        <Panel label={words.sales}>
          <Notice icon={IconReceipt} title={words.emptyTitle} heading="h2">
            {words.empty}
          </Notice>
        </Panel>
      ) : (
        <>
          <DailyVolume days={data?.daily} />
          <div className={styles.pair}>
            <Breakdown title={words.byType} hint={words.last30} shares={data && byPaymentType(data)} />
            <Breakdown title={words.byBrand} hint={words.last30} shares={data && byBrand(data)} />
          </div>
          <LatestSales sales={data?.latest_sales} />
        </>
      )}
    </>
  );
}

function Balance({ overview }: { overview: Overview | undefined }) {
  const balance = overview?.balance;
  const soon = overview?.to_receive;
  const cents = (amount: number | undefined) => (amount === undefined ? undefined : money(amount));
  return (
    <Figures label={words.balance}>
      <Figure label={words.available} value={cents(balance?.available)} note={words.availableHint} strong />
      <Figure
        label={words.receivable}
        value={cents(balance?.receivable)}
        note={
          <span className={styles.soon}>
            <span>
              {words.next7} <b>{soon && money(soon.next_7_days)}</b>
            </span>
            <span>
              {words.next30} <b>{soon && money(soon.next_30_days)}</b>
            </span>
          </span>
        }
      />
      <Figure label={words.inTransfer} value={cents(balance?.in_transfer)} note={words.inTransferHint} />
      <Figure label={words.blocked} value={cents(balance?.blocked)} note={words.blockedHint} />
    </Figures>
  );
}

function SalesFigures({ overview }: { overview: Overview | undefined }) {
  const today = overview?.sales_today;
  const month = overview?.sales_month;
  const count = (n: number) => words.salesCount(n, wholeNumber(n));
  return (
    <Figures label={words.sales}>
      <Figure
        label={words.today}
        value={today && money(today.gross)}
        note={
          overview && (
            <>
              {count(overview.sales_today.count)} ·{" "}
              <Variation
                ratio={variation(overview.sales_today.gross, overview.sales_yesterday.gross)}
                against={words.versusYesterday}
              />
            </>
          )
        }
      />
      <Figure
        label={words.month}
        value={month && money(month.gross)}
        note={
          overview && (
            <>
              {count(overview.sales_month.count)} ·{" "}
              <Variation
                ratio={variation(overview.sales_month.gross, overview.sales_previous_month.gross)}
                against={words.versusMonth}
              />
            </>
          )
        }
      />
      <Figure
        label={words.averageTicket}
        value={
          month && (month.count === 0 ? strings.list.none : money(Math.round(month.gross / month.count)))
        }
        note={words.averageTicketHint}
      />
    </Figures>
  );
}
