// A company's balance as of an instant, marked as past, with a button back to the current one.
import { Button } from "@mantine/core";
import { IconArrowForwardUp, IconHistory } from "@tabler/icons-react";
import { useApi } from "../../api/hooks";
import type { BalanceAsOf } from "../../api/models";
import { useTimeZone } from "../../api/session";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { instant } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import styles from "./AsOf.module.css";
import type { AsOf } from "./asOf";
import { BalanceFigures } from "./BalanceFigures";

const words = ledgerStrings.asOf;
const accounts = balanceStrings.ledgerEvent.accounts;
/** The accounts that BalanceFigures does not show by themselves. Its figure 'Bloqueado' is the sum of the first two. */
const OTHER_ACCOUNTS = ["held_by_staff", "in_dispute", "platform_fees", "clearing"] as const;

interface PastBalanceProps {
  businessId: string;
  at: string;
  asOf: AsOf;
}

export default function PastBalance({ businessId, at, asOf }: PastBalanceProps) {
  const zone = useTimeZone();
  const balance = useApi(
    "/admin/businesses/{id}/balance",
    { path: { id: businessId }, query: { as_of: at, axis: asOf.axis } },
    { keepPrevious: false },
  );
  return (
    <>
      <div className={styles.past} role="status">
        <IconHistory size={22} aria-hidden />
        <p>
          <strong>{words.past(words.axes[asOf.axis], instant(at, zone, "DD/MM/YYYY HH:mm:ss"))}</strong>
          {words.pastHint}
        </p>
        <Button
          variant="default"
          leftSection={<IconArrowForwardUp size={17} aria-hidden />}
          onClick={() => void asOf.back()}
        >
          {words.back}
        </Button>
      </div>
      {balance.error ? (
        <Panel label={words.accounts}>
          <FailureNotice failure={balance.error} onRetry={() => void balance.mutate()} />
        </Panel>
      ) : (
        <>
          <BalanceFigures totals={balance.data?.balances} failed={false} />
          {balance.data && <Accounts of={balance.data} />}
        </>
      )}
    </>
  );
}

function Accounts({ of }: { of: BalanceAsOf }) {
  return (
    <dl className={styles.accounts} aria-label={words.accounts}>
      {OTHER_ACCOUNTS.map((account) => (
        <div key={account}>
          <dt>{accounts[account]}</dt>
          <dd>{money(of.balances[account])}</dd>
        </div>
      ))}
      {of.axis === "recorded" && (
        <div>
          <dt>{words.counted}</dt>
          <dd>{of.sequence === null ? words.noneCounted : words.eventNumber(wholeNumber(of.sequence))}</dd>
        </div>
      )}
    </dl>
  );
}
