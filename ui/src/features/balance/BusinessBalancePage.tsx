// A company's balance as staff see it, current or as of an instant, with its events and the actions on it.
import { Skeleton } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useParams } from "react-router";
import { useMayCall } from "../../api/access";
import { totalsOf } from "../../api/balance";
import { useApi } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { ApprovalBadge } from "../../components/StatusBadge";
import { useOpened } from "../../components/table/opened";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { useAsOf } from "./asOf";
import styles from "./Balance.module.css";
import { BalanceActions } from "./BalanceActions";
import { BalanceFigures } from "./BalanceFigures";
import { BalanceTabs } from "./BalanceTabs";
import { StaffStatement } from "./StaffStatement";

// Lazy, to keep the page within its weight budget.
const StaffDebts = lazy(() => import("../debts/StaffDebts"));
const AsOfForm = lazy(() => import("./AsOfForm"));
const BusinessTransfers = lazy(() => import("../withdrawals/BusinessTransfers"));
const Journal = lazy(() => import("./Journal"));
const PastBalance = lazy(() => import("./PastBalance"));
const LedgerEventModal = lazy(() => import("../../components/ledger/LedgerEventModal"));

const words = balanceStrings.businessBalance;
const NOT_FOUND = 404;

export default function BusinessBalancePage() {
  const { id = "" } = useParams();
  const mayChange = useMayCall("POST /admin/balance/transfers/manual");
  const seesDebts = useMayCall("GET /admin/balance/debts/{business_id}");
  // The data of another company must not appear at this address.
  const readOptions = { keepPrevious: false };
  const business = useApi("/admin/businesses/{id}", { path: { id } }, readOptions);
  const balance = useApi("/admin/balance/history", { query: { business_id: id, totals: 1 } }, readOptions);
  const asOf = useAsOf();
  const [event, setEvent] = useOpened("event");
  const [message, setMessage] = useState<string>();
  const totals = totalsOf(balance.data);
  const disabledReason = !mayChange ? words.forAdmins : asOf.at ? words.notNow : undefined;
  const list = { businessId: id, businessName: business.data?.name, asOf };

  if (business.error?.status === NOT_FOUND) {
    return (
      <Panel label={words.title}>
        <Notice icon={IconBuildingStore} title={words.missingTitle} heading="h1">
          {words.missing}
        </Notice>
      </Panel>
    );
  }
  // Waits for the name, because a name of two lines would move the page. A retry after a failure keeps the page.
  if (!business.data && !business.error) return <BalanceSkeleton />;
  return (
    <>
      <BackLink to={`/empresas/${id}`} />
      <PageHeader
        title={business.data?.name ?? words.title}
        badge={business.data && <ApprovalBadge approval={business.data.approval} />}
        hint={business.data && companyText(business.data)}
        actions={
          <BalanceActions
            businessId={id}
            totals={totals}
            disabledReason={disabledReason}
            onDone={setMessage}
          />
        }
      />
      {business.error && !business.data && (
        <Panel label={words.title}>
          <FailureNotice failure={business.error} onRetry={() => void business.mutate()} />
        </Panel>
      )}
      <ServerMessage message={message} variant="success" onClose={() => setMessage(undefined)} />
      {asOf.at ? (
        <Suspense fallback={<Skeleton height={220} radius={12} />}>
          <PastBalance businessId={id} at={asOf.at} asOf={asOf} />
        </Suspense>
      ) : balance.error && !totals ? (
        <Panel label={balanceStrings.balance.figures}>
          <FailureNotice failure={balance.error} onRetry={() => void balance.mutate()} />
        </Panel>
      ) : (
        <>
          <BalanceFigures totals={totals} failed={balance.error !== undefined} />
          {seesDebts && totals && totals.available < 0 && (
            <Suspense fallback={<Skeleton height={320} radius={12} />}>
              <StaffDebts businessId={id} onDone={setMessage} />
            </Suspense>
          )}
        </>
      )}
      <Suspense fallback={<Skeleton height={170} radius={12} />}>
        <AsOfForm asOf={asOf} />
      </Suspense>
      <BalanceTabs
        statement={<StaffStatement {...list} />}
        transfers={
          <Suspense fallback={<Skeleton height={420} radius={12} />}>
            <BusinessTransfers
              {...list}
              isPast={asOf.at !== null}
              disabledReason={disabledReason}
              onDone={setMessage}
            />
          </Suspense>
        }
        journal={
          <Suspense fallback={<Skeleton height={420} radius={12} />}>
            <Journal {...list} />
          </Suspense>
        }
      />
      <Suspense>
        {event && <LedgerEventModal businessId={id} event={event} onClose={() => setEvent(null)} />}
      </Suspense>
    </>
  );
}

function BalanceSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={strings.loading}>
      <PageHeader title={words.title} hint={<Skeleton height={18} width={160} mt={4} />} />
      <Skeleton height={118} radius={12} />
      <Skeleton height={170} radius={12} />
      <Skeleton height={420} radius={12} />
    </div>
  );
}

function companyText({ type, document }: Pick<BusinessDetail, "type" | "document">): string {
  return `${strings.businessType[type]} · ${taxId(document)}`;
}
