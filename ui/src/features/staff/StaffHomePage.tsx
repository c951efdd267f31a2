// The home of the staff's panel: the platform's figures, as far as the role may see them, and what waits.
import { Anchor } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { AdminOverview } from "../../api/models";
import { useSession } from "../../api/session";
import { BusinessSelect } from "../../components/BusinessSelect";
import { Figure, Figures } from "../../components/Figure";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { businessDateInWords } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { personStrings } from "../../strings/pt-BR.person";
import styles from "./StaffHomePage.module.css";

const words = strings.staffHome;
const salesText = (count: number) => strings.overview.salesCount(count, wholeNumber(count));

export default function StaffHomePage() {
  const { user } = useSession();
  const seesBalances = useMayOpen("/empresas/:id/saldo");
  const { data, error, mutate } = useApi("/admin/overview");
  if (!user) return null;
  return (
    <>
      <PageHeader
        title={words.greeting(user.name)}
        hint={data ? businessDateInWords(data.today) : "\u00a0"}
      />
      {error && !data ? (
        <Panel label={words.operation}>
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        </Panel>
      ) : (
        <Platform overview={data} />
      )}
      {data && <Waiting overview={data} />}
      {seesBalances && <FindBalance />}
      {data?.newest_businesses && <Newest businesses={data.newest_businesses} linked={seesBalances} />}
      <Panel title={words.signedInAs}>
        <dl className={styles.facts}>
          <div>
            <dt>{personStrings.email}</dt>
            <dd>{user.email}</dd>
          </div>
          <div>
            <dt>{words.roles}</dt>
            <dd>{user.roles.map((role) => staffRoles[role] ?? role).join(", ")}</dd>
          </div>
        </dl>
      </Panel>
    </>
  );
}

const staffRoles: Readonly<Record<string, string>> = strings.staffRoles;

const known = <Value,>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined;

/** What the gateway keeps from a role comes as null, and has no card. */
function Platform({ overview }: { overview: AdminOverview | undefined }) {
  const { volume_today, volume_month } = overview ?? {};
  return (
    <Figures label={words.operation}>
      <Figure
        label={words.volumeToday}
        value={volume_today && money(volume_today.gross)}
        note={volume_today && salesText(volume_today.count)}
        strong
      />
      <Figure
        label={words.volumeMonth}
        value={volume_month && money(volume_month.gross)}
        note={volume_month && salesText(volume_month.count)}
      />
      {known(overview?.revenue_month) && (
        <Figure label={words.revenue} value={money(overview.revenue_month)} note={words.revenueHint} />
      )}
      {known(overview?.active_businesses) && (
        <Figure
          label={words.businesses}
          value={wholeNumber(overview.active_businesses)}
          note={words.businessesHint}
        />
      )}
    </Figures>
  );
}

function Waiting({ overview }: { overview: AdminOverview }) {
  if (!known(overview.withdrawals_waiting) && !known(overview.exceptions_waiting)) return null;
  return (
    <Figures label={words.waiting}>
      {known(overview.withdrawals_waiting) && (
        <Figure
          label={words.withdrawals}
          value={wholeNumber(overview.withdrawals_waiting.count)}
          note={
            <>
              {words.withdrawalsAmount(money(overview.withdrawals_waiting.amount))} ·{" "}
              <Anchor component={Link} to="/saques" inherit underline="always">
                {words.openWithdrawals}
              </Anchor>
            </>
          }
        />
      )}
      {known(overview.exceptions_waiting) && (
        <Figure
          label={words.exceptions}
          value={wholeNumber(overview.exceptions_waiting)}
          note={
            <>
              {words.exceptionsHint} ·{" "}
              <Anchor component={Link} to="/ajustes/excecoes" inherit underline="always">
                {words.openExceptions}
              </Anchor>
            </>
          }
        />
      )}
    </Figures>
  );
}

const balanceOf = (id: string) => `/empresas/${id}/saldo`;

function FindBalance() {
  const navigate = useNavigate();
  return (
    <Panel title={words.findBalance}>
      <BusinessSelect
        label={words.business}
        placeholder={words.businessPlaceholder}
        maw={440}
        value={null}
        onChange={(id) => id && navigate(balanceOf(id))}
      />
    </Panel>
  );
}

interface NewestProps {
  businesses: NonNullable<AdminOverview["newest_businesses"]>;
  /** Whether a name leads to the company's balance. */
  linked: boolean;
}

function Newest({ businesses, linked }: NewestProps) {
  return (
    <Panel title={words.newest}>
      {businesses.length === 0 ? (
        <p className={styles.none}>{words.noneNewest}</p>
      ) : (
        <ul className={styles.newest}>
          {businesses.map(({ id, name, created_at }) => (
            <li key={id}>
              {linked ? (
                <Anchor component={Link} to={balanceOf(id)} inherit underline="always">
                  {name}
                </Anchor>
              ) : (
                <span>{name}</span>
              )}
              <Instant at={created_at} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
