// The newest withdrawals of the company, for roles that see its balance.
import { Anchor, Skeleton } from "@mantine/core";
import { Link } from "react-router";
import type { Overview } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { TransferBadge } from "../../components/StatusBadge";
import { WithdrawalLink } from "../../components/WithdrawalLink";
import { money } from "../../format/money";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import styles from "./OverviewPage.module.css";

const words = overviewStrings.overview;
const TRANSFERS = "/financeiro?tab=transfers";

type Withdrawal = NonNullable<Overview["latest_withdrawals"]>[number];

export function LatestWithdrawals({ withdrawals }: { withdrawals: readonly Withdrawal[] | undefined }) {
  const all = (
    <Anchor component={Link} to={TRANSFERS} size="sm">
      {words.seeAllWithdrawals}
    </Anchor>
  );
  return (
    <Panel title={words.withdrawals} action={all} flush>
      {withdrawals?.length === 0 ? (
        <p className={styles.noneOfList}>{words.noWithdrawals}</p>
      ) : (
        <ul className={styles.latestRows} aria-busy={withdrawals === undefined}>
          {withdrawals?.map((withdrawal) => <Row key={withdrawal.id} withdrawal={withdrawal} />) ?? (
            <RowsSkeleton />
          )}
        </ul>
      )}
    </Panel>
  );
}

function Row({ withdrawal }: { withdrawal: Withdrawal }) {
  return (
    <li className={styles.withdrawal}>
      <span className={styles.rowTime}>
        <WithdrawalLink id={withdrawal.id} label={withdrawalsStrings.page.open(money(withdrawal.amount))}>
          <Instant at={withdrawal.requested_at} />
        </WithdrawalLink>
      </span>
      <TransferBadge status={withdrawal.status} />
      <span className={styles.rowAmount}>{money(withdrawal.amount)}</span>
    </li>
  );
}

function RowsSkeleton() {
  return [70, 60, 65].map((width) => (
    <li key={width} className={styles.withdrawal}>
      <Skeleton height={18} width={`${width}%`} my={2} />
    </li>
  ));
}
