// One sale from its first event to the last instalment: amounts, facts, receivables, timeline.
import { Alert, Anchor, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconArrowLeft, IconReceiptOff } from "@tabler/icons-react";
import { Link, useLocation, useParams } from "react-router";
import { useApi } from "../../api/hooks";
import type { SaleDetail } from "../../api/models";
import { useBusiness } from "../../api/session";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { StatusBadge } from "../../components/StatusBadge";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { Amounts } from "./Amounts";
import { Facts } from "./Facts";
import { Receivables } from "./Receivables";
import styles from "./SalePage.module.css";
import { Timeline } from "./Timeline";

const words = strings.sale;
const NOT_FOUND = 404;

export default function SalePage() {
  const { id = "" } = useParams();
  const business = useBusiness();
  const sale = useApi("/transactions/{id}", {
    path: { id },
    query: { business_id: business.id, receivables: 1 },
  });

  return (
    <>
      <BackLink />
      {sale.data ? (
        <Sale sale={sale.data} />
      ) : sale.error ? (
        <Panel label={words.title}>
          {sale.error.status === NOT_FOUND ? (
            <Notice icon={IconReceiptOff} title={words.missingTitle} heading="h1">
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={sale.error} onRetry={() => void sale.mutate()} />
          )}
        </Panel>
      ) : (
        <SaleSkeleton id={id} />
      )}
    </>
  );
}

function BackLink() {
  const { state } = useLocation() as { state: { list?: unknown } | null };
  const search = typeof state?.list === "string" ? state.list : "";
  return (
    <Anchor component={Link} to={`/vendas${search}`} className={styles.back}>
      <IconArrowLeft size={16} aria-hidden /> {words.back}
    </Anchor>
  );
}

function Sale({ sale }: { sale: SaleDetail }) {
  return (
    <>
      <PageHeader
        title={words.heading(shortCode(sale.id))}
        mark={<StatusBadge status={sale.status} />}
        hint={<Instant at={sale.occurred_at} weekday />}
      />
      {sale.failure_reason && (
        <Alert
          className={styles.failure}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={words.failureReason}
        >
          {sale.failure_reason}
        </Alert>
      )}
      <div className={styles.columns}>
        <div className={styles.column}>
          <Amounts sale={sale} />
          <Receivables receivables={sale.receivables} />
        </div>
        <div className={styles.column}>
          <Facts sale={sale} />
          <Timeline events={sale.events} />
        </div>
      </div>
    </>
  );
}

function SaleSkeleton({ id }: { id: string }) {
  return (
    <>
      <PageHeader title={words.heading(shortCode(id))} hint={<Skeleton height={18} width={220} mt={4} />} />
      <div className={styles.columns} role="status" aria-label={strings.loading}>
        <div className={styles.column}>
          <Skeleton height={300} radius={12} />
          <Skeleton height={220} radius={12} />
        </div>
        <div className={styles.column}>
          <Skeleton height={360} radius={12} />
          <Skeleton height={180} radius={12} />
        </div>
      </div>
    </>
  );
}
