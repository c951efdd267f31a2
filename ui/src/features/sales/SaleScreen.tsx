// One sale: status, amounts, facts, receivables, timeline. Each panel's page reads it and adds its own parts.
import { Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconReceiptOff } from "@tabler/icons-react";
import { type ReactNode, Suspense, useEffect } from "react";
import type { Failure } from "../../api/failure";
import type { SaleDetail, SaleEvent } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import layout from "../../components/Columns.module.css";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { SaleBadge } from "../../components/StatusBadge";
import { Strip } from "../../components/Strip";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import type { SalesListPath } from "./columns";
import { OpenedExplanation } from "./explanation/ExplanationButton";
import { Facts } from "./Facts";
import { Receivables } from "./Receivables";
import { ReversalStatus } from "./ReversalStatus";
import type { ReceiptSeller } from "./receipt/Receipt";
import { refundUnderWay } from "./reversalState";
import { SaleActions } from "./SaleActions";
import { SaleAmountsPanel } from "./SaleAmountsPanel";
import styles from "./SalePage.module.css";
import { SaleUses } from "./SaleUses";
import { Timeline } from "./Timeline";

const words = salesStrings.sale;
const NOT_FOUND = 404;
const REFUND_POLL_MS = 4_000;

/** The parts that differ between the panels. */
interface PanelParts {
  facts?: readonly Fact[] | undefined;
  eventAction?: ((event: SaleEvent) => ReactNode) | undefined;
  /** The download of the sale's proof. */
  proof?: ReactNode;
  /** Shown for a sale by payment link. */
  buyer?: ReactNode;
  /** The action below the message that the sale does not exist. */
  missingAction?: ReactNode;
}

interface SaleScreenProps<Sale extends SaleDetail> extends PanelParts {
  id: string;
  listPath?: SalesListPath;
  read: SaleRead<Sale>;
  /** The company that the sale's receipt names. */
  sellerOf: (sale: Sale) => ReceiptSeller;
}

interface SaleRead<Sale extends SaleDetail> {
  data: Sale | undefined;
  error: Failure | undefined;
  mutate: () => Promise<unknown>;
}

export function SaleScreen<Sale extends SaleDetail>({
  id,
  listPath = "/vendas",
  read,
  sellerOf,
  ...panelParts
}: SaleScreenProps<Sale>) {
  useRefundPolling(read);
  return (
    <>
      <BackLink to={listPath} />
      {read.data ? (
        <LoadedSale sale={read.data} seller={sellerOf(read.data)} {...panelParts} />
      ) : read.error ? (
        <Panel label={words.title}>
          {read.error.status === NOT_FOUND ? (
            <Notice
              icon={IconReceiptOff}
              title={words.missingTitle}
              heading="h1"
              action={panelParts.missingAction}
            >
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
          )}
        </Panel>
      ) : (
        <SaleSkeleton id={id} />
      )}
    </>
  );
}

/** Reads the sale again while a refund is under way. */
function useRefundPolling({ data: sale, mutate }: SaleRead<SaleDetail>) {
  useEffect(() => {
    if (!sale) return;
    const timer = setInterval(() => {
      if (refundUnderWay(sale, businessNow().getTime())) void mutate();
    }, REFUND_POLL_MS);
    return () => clearInterval(timer);
  }, [sale, mutate]);
}

interface LoadedSaleProps extends PanelParts {
  sale: SaleDetail;
  seller: ReceiptSeller;
}

function LoadedSale({ sale, seller, facts, buyer, proof, eventAction }: LoadedSaleProps) {
  return (
    <>
      <PageHeader
        title={words.heading(shortCode(sale.id))}
        badge={<SaleBadge sale={sale} />}
        hint={<Instant at={sale.occurred_at} weekday />}
        actions={<SaleActions sale={sale} seller={seller} />}
      />
      {sale.failure_reason && (
        <Strip tone="bad" icon={<IconAlertTriangle size={20} aria-hidden />} title={words.failureReason}>
          {sale.failure_reason}
        </Strip>
      )}
      <ReversalStatus sale={sale} />
      <div className={styles.columns}>
        <div className={layout.column}>
          <SaleAmountsPanel sale={sale} />
          <Receivables sale={sale} />
          <SaleUses sale={sale} />
        </div>
        <div className={layout.column}>
          <Facts sale={sale} first={facts} />
          {sale.payment_link_code && <Suspense>{buyer}</Suspense>}
          <Timeline events={sale.events} action={eventAction} proof={proof} />
        </div>
      </div>
      <OpenedExplanation sale={sale} />
    </>
  );
}

function SaleSkeleton({ id }: { id: string }) {
  return (
    <>
      <PageHeader title={words.heading(shortCode(id))} hint={<Skeleton height={18} width={220} mt={4} />} />
      <div className={styles.columns} role="status" aria-label={strings.loading}>
        <div className={layout.column}>
          <Skeleton height={300} radius={12} />
          <Skeleton height={220} radius={12} />
        </div>
        <div className={layout.column}>
          <Skeleton height={360} radius={12} />
          <Skeleton height={180} radius={12} />
        </div>
      </div>
    </>
  );
}
