// One withdrawal, in both panels: what left the balance and what arrived, where it came from, and the proof of how it
// was paid. Staff decide on it here too.
import { Alert, Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle, IconCashBanknoteOff, IconFileTypePdf, IconPrinter } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { useMayCall, useMayOpen } from "../../../api/access";
import { useDownload } from "../../../api/download";
import { useApi } from "../../../api/hooks";
import type { ExecutionStep, Transfer } from "../../../api/models";
import { type PanelName, panel } from "../../../api/panel";
import { useSession } from "../../../api/session";
import layout from "../../../components/Columns.module.css";
import { FactList } from "../../../components/FactList";
import { Instant } from "../../../components/Instant";
import { FailureNotice, Notice } from "../../../components/Notice";
import { BackLink, PageHeader } from "../../../components/PageHeader";
import { Panel } from "../../../components/Panel";
import { ReasonedButton } from "../../../components/ReasonedButton";
import { ServerMessage } from "../../../components/ServerMessage";
import { ExportFailure } from "../../../components/table/ExportButton";
import { authorText } from "../../../format/author";
import { accountTypeText } from "../../../format/business";
import { taxId } from "../../../format/documents";
import { money } from "../../../format/money";
import { strings } from "../../../strings/pt-BR";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { destinationText, transferText } from "../destination";
import { Signals } from "../Signals";
import { TransferState } from "../TransferState";
import { APPROVED, PENDING, PROCESSING, WITHDRAWAL } from "../transferCodes";
import { bankNameFacts } from "./bankNames";
import { Composition } from "./Composition";
import { paramsOf } from "./DayCredits";
import { Execution } from "./Execution";
import { StatePath } from "./StatePath";
import { WhatNow } from "./WhatNow";
import styles from "./WithdrawalPage.module.css";

const CancelButton = lazy(() => import("./CancelButton"));
const StaffActions = lazy(() => import("./StaffActions"));
const WithdrawalReceipt = lazy(() => import("./WithdrawalReceipt"));

const TRANSFERS = {
  seller: "/balance/transfers/{transfer_id}",
  admin: "/admin/balance/transfers/{transfer_id}",
} as const satisfies Record<PanelName, unknown>;
const STEPS = {
  seller: "/balance/transfers/{transfer_id}/execution",
  admin: "/admin/balance/transfers/{transfer_id}/execution",
} as const satisfies Record<PanelName, unknown>;
const RECEIPTS = {
  seller: "/balance/transfers/{transfer_id}/receipt",
  admin: "/admin/balance/transfers/{transfer_id}/receipt",
} as const satisfies Record<PanelName, unknown>;
const LISTS = {
  seller: ["/financeiro", "/financeiro?tab=transfers"],
  admin: ["/saques", "/saques"],
} as const satisfies Record<PanelName, unknown>;

const words = withdrawalsStrings.page;
const NOT_FOUND = 404;
const POLL_MS = 4_000;

export default function WithdrawalPage() {
  const { id = "" } = useParams();
  // Staff have no company: they read the withdrawals of all companies.
  const { business } = useSession();
  const params = { path: { transfer_id: id }, query: { ...(business && { business_id: business.id }) } };
  const options = { keepPrevious: false };
  const transfer = useApi(TRANSFERS[panel], params, options);
  const steps = useApi(STEPS[panel], params, options);
  const [message, setMessage] = useState<string>();
  usePolling(transfer.data, () => void Promise.all([transfer.mutate(), steps.mutate()]));
  const [list, address] = LISTS[panel];
  const seesList = useMayOpen(list);
  return (
    <>
      {seesList && <BackLink to={address} />}
      <ServerMessage message={message} variant="success" onClose={() => setMessage(undefined)} />
      {transfer.data ? (
        <Loaded
          transfer={transfer.data}
          steps={steps.data?.data}
          execution={<Execution read={steps} />}
          onDone={setMessage}
        />
      ) : transfer.error ? (
        <Panel label={words.title}>
          {transfer.error.status === NOT_FOUND ? (
            <Notice icon={IconCashBanknoteOff} title={words.missingTitle} heading="h1">
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={transfer.error} onRetry={() => void transfer.mutate()} />
          )}
        </Panel>
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

/** Reads the withdrawal again while the bank has it. */
function usePolling(transfer: Transfer | undefined, read: () => void) {
  const waits = transfer?.status === PROCESSING;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(read, POLL_MS);
    return () => clearInterval(timer);
  });
}

interface LoadedProps {
  transfer: Transfer;
  steps: readonly ExecutionStep[] | undefined;
  execution: ReactNode;
  onDone: (message: string) => void;
}

function Loaded({ transfer, steps, execution, onDone }: LoadedProps) {
  // Sellers have a role admin too, which the call's roles do not mean.
  const mayAct = useMayCall("POST /admin/balance/transfers/{id}/{type}") && panel === "admin";
  const receipt = useDownload(RECEIPTS[panel], paramsOf(transfer), words.receipt.file, undefined, "pdf");
  return (
    <>
      <PageHeader
        title={money(transfer.amount)}
        badge={<TransferState transfer={transfer} />}
        hint={
          <>
            {words.requested} <Instant at={transfer.requested_at} weekday />
            {panel === "admin" && <> · {transfer.business.name}</>}
            <Signals transfer={transfer} />
          </>
        }
        actions={
          <div className={styles.buttons}>
            {panel === "seller" && (
              <Suspense>
                <CancelButton transfer={transfer} onDone={onDone} />
              </Suspense>
            )}
            <PrintButton transfer={transfer} steps={steps} />
            {transfer.status === APPROVED && transfer.kind === WITHDRAWAL && (
              <Button
                leftSection={<IconFileTypePdf size={17} aria-hidden />}
                loading={receipt.running}
                onClick={receipt.run}
              >
                {words.receipt.download}
              </Button>
            )}
          </div>
        }
      />
      <ExportFailure download={receipt} />
      {transfer.reason && (
        <Alert
          className={styles.reason}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={words.reasonOf[transfer.status]}
        >
          {transfer.reason}
        </Alert>
      )}
      {mayAct && (
        <Suspense fallback={<Skeleton height={110} radius={12} />}>
          <StaffActions transfer={transfer} onDone={onDone} />
        </Suspense>
      )}
      <div className={layout.columns}>
        <div className={layout.column}>
          {steps && <StatePath transfer={transfer} steps={steps} />}
          <Amounts transfer={transfer} steps={steps} />
          {panel === "seller" && transfer.kind === WITHDRAWAL && <WhatNow transfer={transfer} />}
        </div>
        <Destination transfer={transfer} steps={steps} />
      </div>
      <Composition transfer={transfer} />
      {execution}
    </>
  );
}

function PrintButton({
  transfer,
  steps,
}: {
  transfer: Transfer;
  steps: readonly ExecutionStep[] | undefined;
}) {
  const [printing, setPrinting] = useState(false);
  const done = useCallback(() => setPrinting(false), []);
  return (
    <>
      <ReasonedButton
        variant="default"
        leftSection={<IconPrinter size={17} aria-hidden />}
        disabledReason={transfer.status === APPROVED ? undefined : words.receipt.onlyPaid}
        onClick={() => setPrinting(true)}
      >
        {words.receipt.print}
      </ReasonedButton>
      <Suspense>
        {printing && steps && <WithdrawalReceipt transfer={transfer} steps={steps} onPrinted={done} />}
      </Suspense>
    </>
  );
}

/** The amount less the fee is what reaches the bank. */
function Amounts({ transfer, steps }: { transfer: Transfer; steps: readonly ExecutionStep[] | undefined }) {
  const { amount, fee, net_amount, status, fee_given_back } = transfer;
  const paid = status === APPROVED;
  const paidAt = paid && steps?.findLast(({ kind }) => kind === "paid")?.at;
  const arrives = paid
    ? words.arrived
    : status === PENDING || status === PROCESSING
      ? words.arrives
      : words.notArrived;
  return (
    <Panel label={words.amounts}>
      <dl className={styles.amounts} aria-label={words.amounts}>
        <div>
          <dt>{words.left}</dt>
          <dd>{money(amount)}</dd>
        </div>
        <div data-sign="−">
          <dt>{words.fee}</dt>
          <dd>{money(fee)}</dd>
        </div>
        <div data-sign="=">
          <dt>{arrives}</dt>
          <dd>{money(net_amount)}</dd>
          {paidAt && (
            <dd className={styles.amountNote}>
              <Instant at={paidAt} />
            </dd>
          )}
        </div>
      </dl>
      {fee_given_back !== null && (
        <p className={styles.note}>{words.givenBack(money(net_amount + fee_given_back))}</p>
      )}
    </Panel>
  );
}

function Destination({
  transfer,
  steps,
}: {
  transfer: Transfer;
  steps: readonly ExecutionStep[] | undefined;
}) {
  const { destination_details: details, business } = transfer;
  const account = details?.type === "bank_account" ? details : undefined;
  return (
    <Panel title={withdrawalsStrings.transfers.columns.destination}>
      <FactList
        variant="ruled"
        facts={[
          [words.bank, account && `${account.bank_code} · ${account.bank_name}`],
          [
            words.branch,
            account && [account.routing_number, account.routing_digit].filter(Boolean).join("-"),
          ],
          [
            account ? accountTypeText(account.account_type) : "",
            account && `${account.account_number}-${account.account_digit}`,
          ],
          [words.to, !account && (details ? destinationText(transfer) : transferText(transfer))],
          [words.holder, business.name],
          [words.document, business.document && taxId(business.document)],
          [withdrawalsStrings.transfers.columns.requestedBy, authorText(transfer.author)],
          ...bankNameFacts(transfer, steps).map(
            ([label, name]) =>
              [
                label,
                <code key={label} className={styles.code}>
                  {name}
                </code>,
              ] as const,
          ),
          [
            words.id,
            <code key="id" className={styles.code}>
              {transfer.id}
            </code>,
          ],
        ]}
      />
      {panel === "admin" && <BalanceLink transfer={transfer} />}
    </Panel>
  );
}

function BalanceLink({ transfer: { business_id, business } }: { transfer: Transfer }) {
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  if (!mayOpen) return null;
  return (
    <Link className={styles.balance} to={`/empresas/${business_id}/saldo`}>
      {withdrawalsStrings.queue.open(business.name)}
    </Link>
  );
}

function PageSkeleton() {
  return (
    <div role="status" aria-label={strings.loading} className={styles.skeleton}>
      <PageHeader title={words.title} hint={<Skeleton height={18} width={220} mt={4} />} />
      <div className={layout.columns}>
        <Skeleton height={130} radius={12} />
        <Skeleton height={260} radius={12} />
      </div>
      <Skeleton height={300} radius={12} />
      <Skeleton height={260} radius={12} />
    </div>
  );
}
