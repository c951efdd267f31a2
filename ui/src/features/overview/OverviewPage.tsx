// The home of a seller: the balance with a button to withdraw, the sales of today, of the month and of a chosen period,
// the latest sales and the latest withdrawals.
import { Select } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useMayCall } from "../../api/access";
import type { HomeRedirect } from "../../api/changeBusiness";
import type { Overview } from "../../api/models";
import { useBusiness } from "../../api/session";
import { BlockedNote } from "../../components/BlockedNote";
import { Figure, Figures, Variation } from "../../components/Figure";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { RefreshSelect } from "../../components/RefreshSelect";
import type { RefreshedRead } from "../../components/refreshState";
import { ServerMessage } from "../../components/ServerMessage";
import { WithdrawButton } from "../../components/WithdrawButton";
import { businessDateInWords } from "../../format/dates";
import { money, variation, wholeNumber } from "../../format/money";
import { PERIOD_OPTIONS, type PeriodOption } from "../../format/periods";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { periodStrings } from "../../strings/pt-BR.period";
import { Breakdowns } from "./Breakdown";
import { HeldMoney } from "./HeldMoney";
import { LatestSales } from "./LatestSales";
import { LatestWithdrawals } from "./LatestWithdrawals";
import styles from "./OverviewPage.module.css";
import { PeriodVolume } from "./PeriodVolume";
import { useOverview } from "./period";

const words = overviewStrings.overview;

export default function OverviewPage() {
  const business = useBusiness();
  const [redirect, closeRedirect] = useHomeRedirect(business.id);
  const seesBalance = useMayCall("GET /balance/history");
  const { option, choose, read, refresh } = useOverview(business.id);
  const { data, error } = read;
  const [requested, setRequested] = useState<string>();
  const redirectText = redirect && strings.shell.redirectedHome(redirect.pageTitle, redirect.business.name);
  const header = (
    <PageHeader
      title={words.title}
      hint={data ? businessDateInWords(data.today) : "\u00a0"}
      actions={seesBalance && <WithdrawButton businessId={business.id} onRequested={setRequested} />}
    />
  );

  const top = (
    <>
      {header}
      <ServerMessage message={redirectText ?? undefined} variant="info" onClose={closeRedirect} />
      <ServerMessage message={requested} variant="success" onClose={() => setRequested(undefined)} />
    </>
  );

  if (error && !data) {
    return (
      <>
        {top}
        <Panel label={words.title}>
          <FailureNotice failure={error} onRetry={refresh} />
        </Panel>
      </>
    );
  }
  // Until the answer arrives, the role decides whether it will contain balances.
  const withBalance = data ? data.balance !== null : seesBalance;
  return (
    <div className={styles.home}>
      {top}
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
          <PeriodBar option={option} choose={choose} read={read} onRefresh={refresh} />
          <PeriodVolume period={data?.period} />
          <Breakdowns overview={data} />
          <div className={styles.latest}>
            <LatestSales sales={data?.latest_sales} />
            {withBalance && <LatestWithdrawals withdrawals={data?.latest_withdrawals ?? undefined} />}
          </div>
        </>
      )}
      {/* Last, because it is known after the page and must not move what is there. */}
      {(data?.balance?.held_by_staff ?? 0) > 0 && <HeldMoney />}
    </div>
  );
}

interface PeriodBarProps {
  option: PeriodOption;
  choose: (option: PeriodOption) => unknown;
  read: RefreshedRead;
  onRefresh: () => void;
}

/** The period of the chart and of the sales by payment type and brand. */
function PeriodBar({ option, choose, read, onRefresh }: PeriodBarProps) {
  const { label, options } = periodStrings.period;
  return (
    <section className={styles.period} aria-label={words.periodOf}>
      <Select
        label={label}
        data={PERIOD_OPTIONS.map((value) => ({ value, label: options[value] }))}
        value={option}
        onChange={(value) => value && choose(value)}
        size="sm"
        comboboxProps={{ shadow: "md" }}
      />
      <RefreshSelect name="overview" reads={[read]} onRefresh={onRefresh} />
    </section>
  );
}

/** The page from which the user was redirected. Shown once, then removed from the history entry. */
function useHomeRedirect(businessId: string): [HomeRedirect | null, () => void] {
  const { state } = useLocation() as { state: HomeRedirect | null };
  const navigate = useNavigate();
  // After the browser goes back, another company may be current.
  const isCurrent = state?.business?.id === businessId;
  const [redirect, setRedirect] = useState(isCurrent ? state : null);
  useEffect(() => {
    if (isCurrent) void navigate(".", { replace: true, state: null });
  }, [isCurrent, navigate]);
  return [redirect, () => setRedirect(null)];
}

function Balance({ overview }: { overview: Overview | undefined }) {
  const balance = overview?.balance;
  const soon = overview?.to_receive;
  const cents = (amount: number | undefined) => (amount === undefined ? undefined : money(amount));
  return (
    <Figures label={words.balance}>
      <Figure
        label={words.available}
        value={cents(balance?.available)}
        note={balanceStrings.balance.availableHint(balance?.available)}
        strong
      />
      <Figure
        label={words.receivable}
        value={cents(balance?.receivable)}
        note={soon && <Soon next7={soon.next_7_days} next30={soon.next_30_days} />}
        sample={<Soon next7={SAMPLE_CENTS} next30={SAMPLE_CENTS} />}
      />
      <Figure label={words.inTransfer} value={cents(balance?.in_transfer)} note={words.inTransferHint} />
      <Figure
        label={words.blocked}
        value={cents(balance?.blocked)}
        note={<BlockedNote balance={balance} />}
      />
    </Figures>
  );
}

/** A typical amount, for skeletons. */
const SAMPLE_CENTS = 1_234_567;

function Soon({ next7, next30 }: { next7: number; next30: number }) {
  return (
    <span className={styles.soon}>
      <span>
        {words.next7} <b>{money(next7)}</b>
      </span>
      <span>
        {words.next30} <b>{money(next30)}</b>
      </span>
    </span>
  );
}

interface ComparedProps {
  count: number;
  gross: number;
  before: number;
  against: string;
}

/** The number of sales, and the change of their sum against an earlier period. */
function Compared({ count, gross, before, against }: ComparedProps) {
  return (
    <>
      {words.salesCount(count, wholeNumber(count))} ·{" "}
      <Variation ratio={variation(gross, before)} against={against} />
    </>
  );
}

/** Typical figures, for skeletons. */
const SAMPLE_SALES = { count: 123, gross: 123, before: 100 };

function SalesFigures({ overview }: { overview: Overview | undefined }) {
  const today = overview?.sales_today;
  const month = overview?.sales_month;
  return (
    <Figures label={words.sales}>
      <Figure
        label={words.today}
        value={today && money(today.gross)}
        note={
          overview && (
            <Compared
              {...overview.sales_today}
              before={overview.sales_yesterday.gross}
              against={words.versusYesterday}
            />
          )
        }
        sample={<Compared {...SAMPLE_SALES} against={words.versusYesterday} />}
      />
      <Figure
        label={words.month}
        value={month && money(month.gross)}
        note={
          overview && (
            <Compared
              {...overview.sales_month}
              before={overview.sales_previous_month.gross}
              against={words.versusMonth}
            />
          )
        }
        sample={<Compared {...SAMPLE_SALES} against={words.versusMonth} />}
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
