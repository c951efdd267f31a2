// A seller's held money: what is held now and why, and what was held before.
import { Anchor, Button, Skeleton } from "@mantine/core";
import { IconLock, IconLockOpen } from "@tabler/icons-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Link } from "react-router";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { HoldRow, Reserve, ReserveRules } from "../../api/models";
import { useBusiness } from "../../api/session";
import { Figure, Figures } from "../../components/Figure";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { Badge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { useList } from "../../components/table/useList";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import { OWN_RESERVE, useReserve } from "../reserves/reserveCalls";
import { rulesText } from "../reserves/reserveRules";
import { KIND_ICONS } from "./HoldHistory";
import styles from "./Holds.module.css";
import { HoldBadge } from "./holdBadges";

const words = holdsStrings.seller;
const titles = holdsStrings.columns;
/** A company has at most about as many open holds. */
const OPEN_SHOWN = 100;

const pathOf = ({ id }: Pick<HoldRow, "id">) => `/financeiro/valores-retidos/${id}`;
const labelOf = ({ kind, amount, placed, state }: HoldRow) =>
  words.openHold(holdsStrings.kinds[kind], money(state === "open" ? amount : placed));

export default function HoldsPage() {
  const business = useBusiness();
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(["open", "ended"] as const).withDefault("open"),
  );
  const open = useApi("/balance/holds", {
    query: { business_id: business.id, state: "open", perPage: OPEN_SHOWN },
  });
  const rows = open.data?.data;
  const reserve = useReserve(business.id).data;
  return (
    <div className={styles.page}>
      <PageHeader title={screenTitle("/financeiro/valores-retidos")} hint={words.hint} />
      <Summary rows={rows} reserve={reserve} failed={open.error !== undefined} />
      <PageTabs
        label={words.tabs}
        open={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          [
            "open",
            words.open,
            rows ? (
              <OpenHolds rows={rows} reserve={reserve} />
            ) : open.error ? (
              <Panel label={words.list}>
                <FailureNotice failure={open.error} onRetry={() => void open.mutate()} />
              </Panel>
            ) : (
              <Skeleton height={320} radius={12} />
            ),
          ],
          ["ended", words.ended, <EndedHolds key="ended" />],
        ]}
      />
    </div>
  );
}

const sumOf = (rows: readonly HoldRow[]) => rows.reduce((sum, { amount }) => sum + amount, 0);

interface SummaryProps {
  rows: readonly HoldRow[] | undefined;
  reserve: Reserve | undefined;
  failed: boolean;
}

/** The reserve has dates of its own: each part of it is released on its day. */
function Summary({ rows, reserve, failed }: SummaryProps) {
  const hasDate = ({ kind, until }: HoldRow) => kind === "reserve" || until !== null;
  const dated = rows?.filter(hasDate) ?? [];
  const undated = rows?.filter((row) => !hasDate(row)) ?? [];
  const release = reserve?.coming[0];
  const [next] = [
    ...dated.flatMap(({ until }) => until ?? []),
    ...(release ? [release.release_on] : []),
  ].sort();
  const shown = (sum: number) => (rows ? money(sum) : failed ? strings.list.none : undefined);
  return (
    <Figures label={words.figures}>
      <Figure
        label={words.now}
        value={shown(sumOf(rows ?? []))}
        note={rows && words.reasons(rows.length, wholeNumber(rows.length))}
        strong
      />
      {release && (
        <Figure
          label={words.nextRelease}
          value={money(release.held)}
          note={words.releaseOn(businessDate(release.release_on, "ddd, DD/MM"))}
        />
      )}
      <Figure
        label={words.dated}
        value={shown(sumOf(dated))}
        note={words.datedHint(next && businessDate(next))}
      />
      <Figure label={words.undated} value={shown(sumOf(undated))} note={words.undatedHint} />
    </Figures>
  );
}

interface OpenHoldsProps {
  rows: readonly HoldRow[];
  reserve: Reserve | undefined;
}

/** What needs the seller stands first. */
function OpenHolds({ rows, reserve }: OpenHoldsProps) {
  const isHeld = rows.some(({ kind }) => kind === "reserve");
  return (
    <div className={styles.stack}>
      <HeldNow rows={rows} reserve={reserve} />
      {/* Nothing is held yet: the next settlements will be in part. */}
      {!isHeld && reserve?.rules && <ReserveRulesNote rules={reserve.rules} />}
    </div>
  );
}

function ReserveRulesNote({ rules }: { rules: ReserveRules }) {
  return (
    <Panel
      title={holdsStrings.kinds.reserve}
      action={
        <Anchor component={Link} to={OWN_RESERVE} size="sm">
          {reservesStrings.how}
        </Anchor>
      }
    >
      <p>{rulesText(rules)}</p>
    </Panel>
  );
}

function HeldNow({ rows, reserve }: OpenHoldsProps) {
  if (rows.length === 0) {
    return (
      <Panel label={words.list}>
        <Notice icon={IconLockOpen} title={words.emptyTitle} heading="h2">
          {words.empty}
        </Notice>
      </Panel>
    );
  }
  const needs = (row: HoldRow) => (row.documents_missing.length > 0 ? 0 : 1);
  return (
    <Panel title={words.list} flush>
      <ul className={styles.items} aria-label={words.list}>
        {[...rows]
          .sort((one, other) => needs(one) - needs(other))
          .map((row) => (
            <OpenHold key={row.id} hold={row} reserve={row.kind === "reserve" ? reserve : undefined} />
          ))}
      </ul>
      <p className={styles.sum}>
        <span className={shared.hint}>{words.sum}</span>
        <strong>{money(sumOf(rows))}</strong>
      </p>
    </Panel>
  );
}

interface OpenHoldProps {
  hold: HoldRow;
  /** Given if the hold is the reserve. */
  reserve: Reserve | undefined;
}

/** "R$ 158,40 liberam em 30/11/2026", or the day on which staff look at the hold again. */
function untilText({ until }: HoldRow, reserve: Reserve | undefined): string {
  const release = reserve?.coming[0];
  if (release) return reservesStrings.nextRelease(money(release.held), businessDate(release.release_on));
  return until ? businessDate(until) : holdsStrings.noDate;
}

function OpenHold({ hold, reserve }: OpenHoldProps) {
  const Icon = KIND_ICONS[hold.kind];
  const acts = hold.documents_missing.length > 0;
  return (
    <li className={styles.item}>
      <span className={styles.icon} data-acts={acts || undefined} aria-hidden>
        <Icon size={20} />
      </span>
      <div className={styles.body}>
        <div className={styles.titleLine}>
          <h3 className={styles.title}>{holdsStrings.kinds[hold.kind]}</h3>
          {acts && <Badge tone="wait">{words.needsYou}</Badge>}
        </div>
        <p>{reserve?.rules ? rulesText(reserve.rules) : (hold.reason ?? words.why[hold.kind])}</p>
        {hold.missing > 0 && <p>{words.taking(money(hold.missing))}</p>}
        {acts && <p>{words.sendMissing(hold.documents_missing.join(", "))}</p>}
        <dl className={styles.dates}>
          <div>
            <dt>{holdsStrings.since}</dt>
            <dd>
              <Instant at={hold.placed_at} />
            </dd>
          </div>
          <div>
            <dt>{holdsStrings.until}</dt>
            <dd>{untilText(hold, reserve)}</dd>
          </div>
        </dl>
        <div>
          <Button
            component={Link}
            to={pathOf(hold)}
            size="xs"
            variant={acts ? "filled" : "default"}
            aria-label={labelOf(hold)}
          >
            {acts ? words.send : words.details}
          </Button>
        </div>
      </div>
      <span className={styles.amount}>{money(hold.amount)}</span>
    </li>
  );
}

const { shown, ordered } = columnsFor<HoldRow>();
const targetOf = (row: HoldRow) => ({ to: pathOf(row), label: labelOf(row) });

const ENDED_COLUMNS = [
  ordered("placedAt", titles.placedAt, (row) => <Instant at={row.placed_at} />, { fixed: true }),
  shown(
    "kind",
    titles.kind,
    (row) => <RowLink target={targetOf(row)}>{holdsStrings.kinds[row.kind]}</RowLink>,
    { fixed: true },
  ),
  shown("reason", titles.reason, ({ reason }) => reason ?? strings.list.none),
  shown("placed", titles.placed, (row) => money(row.placed), { align: "end", fixed: true }),
  shown("released", titles.released, (row) => money(row.released), { align: "end" }),
  shown("paid", titles.paid, (row) => money(row.paid), { align: "end" }),
  shown("endedAt", titles.endedAt, ({ ended_at }) =>
    ended_at ? <Instant at={ended_at} /> : strings.list.none,
  ),
];

const endedCard = (row: HoldRow): Card => ({
  title: holdsStrings.kinds[row.kind],
  value: money(row.placed),
  note: row.ended_at ? <Instant at={row.ended_at} /> : strings.list.none,
  badge: <HoldBadge state={row.state} />,
});

const ENDED_WORDS = {
  emptyTitle: words.endedEmptyTitle,
  empty: words.endedEmpty,
  nothingFoundTitle: words.endedEmptyTitle,
  nothingFound: words.endedEmpty,
};

function EndedHolds() {
  const business = useBusiness();
  const list = useList("/balance/holds", {
    query: (_, order) => ({ business_id: business.id, state: "ended", order }),
    file: words.file,
    company: business.name,
  });
  return (
    <DataTable
      name="endedHolds"
      label={words.ended}
      columns={ENDED_COLUMNS}
      orderColumn="placedAt"
      list={list}
      icon={IconLock}
      words={ENDED_WORDS}
      rowId={({ id }) => id}
      rowTarget={targetOf}
      card={endedCard}
    />
  );
}
