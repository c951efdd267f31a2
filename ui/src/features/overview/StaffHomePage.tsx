// The home of the staff's panel. It leaves out the parts that the role may not see.
import { Anchor, Skeleton } from "@mantine/core";
import { Link, useNavigate } from "react-router";
import { useMayCall, useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { AdminOverview } from "../../api/models";
import { useSession } from "../../api/session";
import { BusinessSelect } from "../../components/BusinessSelect";
import { Figure, Figures } from "../../components/Figure";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ApprovalBadge } from "../../components/StatusBadge";
import { businessDateInWords } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { personStrings } from "../../strings/pt-BR.person";
import { staffHomeStrings } from "../../strings/pt-BR.staffHome";
import styles from "./StaffHomePage.module.css";
import { hasCard } from "./staffCards";
import { WaitingWork } from "./WaitingWork";

const words = staffHomeStrings.staffHome;
const salesText = (count: number) => overviewStrings.overview.salesCount(count, wholeNumber(count));

export default function StaffHomePage() {
  const { user } = useSession();
  const seesBalances = useMayOpen("/empresas/:id/saldo");
  const opensCompanies = useMayOpen("/empresas/:id");
  const read = useApi("/admin/overview");
  const { data, error } = read;
  if (!user) return null;
  const failed = error !== undefined && !data;
  return (
    <>
      <PageHeader
        title={words.greeting(user.name)}
        hint={data ? businessDateInWords(data.today) : "\u00a0"}
        actions={<RefreshSelect name="operations" reads={[read]} onRefresh={() => void read.mutate()} />}
      />
      {/* Before the parts that load, so that it doesn't move under the person who types. */}
      {seesBalances && <FindBalance />}
      {failed ? (
        <Panel label={words.operation}>
          <FailureNotice failure={error} onRetry={() => void read.mutate()} />
        </Panel>
      ) : (
        <Platform overview={data} />
      )}
      {!failed && <WaitingWork overview={data} />}
      {!failed && (
        <Newest businesses={data?.newest_businesses} isRead={data !== undefined} linked={opensCompanies} />
      )}
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

interface PartProps {
  overview: AdminOverview | undefined;
}

const isPresent = <Value,>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined;

function Platform({ overview }: PartProps) {
  const seesRevenue = useMayCall("GET /admin/transactions/billing");
  const seesCompanies = useMayCall("GET /admin/businesses");
  const { volume_today, volume_month, revenue_month, active_businesses } = overview ?? {};
  return (
    <Figures label={words.operation}>
      <Figure
        label={words.volumeToday}
        value={volume_today && money(volume_today.gross)}
        note={volume_today && salesText(volume_today.count)}
        sample={salesText(0)}
        strong
      />
      <Figure
        label={words.volumeMonth}
        value={volume_month && money(volume_month.gross)}
        note={volume_month && salesText(volume_month.count)}
        sample={salesText(0)}
      />
      {hasCard(overview, revenue_month, seesRevenue) && (
        <Figure
          label={words.revenue}
          value={isPresent(revenue_month) ? money(revenue_month) : undefined}
          note={words.revenueHint}
        />
      )}
      {hasCard(overview, active_businesses, seesCompanies) && (
        <Figure
          label={words.businesses}
          value={isPresent(active_businesses) ? wholeNumber(active_businesses) : undefined}
          note={words.businessesHint}
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
  businesses: AdminOverview["newest_businesses"] | undefined;
  /** Whether the overview has been read. */
  isRead: boolean;
  /** Whether a company's name links to its page. */
  linked: boolean;
}

const NEWEST_MAX = 5;

function Newest({ businesses, isRead, linked }: NewestProps) {
  const seesCompanies = useMayCall("GET /admin/businesses");
  if (!businesses) {
    if (isRead || !seesCompanies) return null;
    return (
      <Panel title={words.newest}>
        <ul className={styles.newest}>
          {Array.from({ length: NEWEST_MAX }, (_, row) => (
            <li key={row}>
              <Skeleton width="60%">{"\u00a0"}</Skeleton>
            </li>
          ))}
        </ul>
      </Panel>
    );
  }
  return (
    <Panel title={words.newest}>
      {businesses.length === 0 ? (
        <p className={styles.none}>{words.noneNewest}</p>
      ) : (
        <ul className={styles.newest}>
          {businesses.map(({ id, name, approval, created_at }) => (
            <li key={id}>
              {linked ? (
                <Anchor component={Link} to={`/empresas/${id}`} inherit underline="always">
                  {name}
                </Anchor>
              ) : (
                <span>{name}</span>
              )}
              <span className={styles.state}>
                <ApprovalBadge approval={approval} />
                <Instant at={created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
