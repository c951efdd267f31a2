// A business's balance as staff see it: what the seller sees, the events behind it, and what may be changed.
import { Anchor, Skeleton } from "@mantine/core";
import {
  IconAdjustments,
  IconArrowLeft,
  IconBuildingStore,
  IconLock,
  IconLockOpen,
} from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "react-router";
import { useIsAdministrator } from "../../api/access";
import { useApi, useDownload } from "../../api/hooks";
import type { BalanceTotals, BusinessDetail } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import { ServerMessage } from "../../components/ServerMessage";
import { ApprovalBadge } from "../../components/StatusBadge";
import { useListState } from "../../components/table/listState";
import { taxId } from "../../format/documents";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import styles from "./Balance.module.css";
import { BalanceFigures } from "./BalanceFigures";
import { type BalanceFilters, useBalanceFilters } from "./filters";
import type { HoldKind } from "./HoldModal";
import { Statement, Transfers } from "./Lists";
import { Movements } from "./Movements";
import { linesOf, totalsOf } from "./movementsRead";
import { eventOfLine, staffStatementColumns } from "./statementColumns";

const HoldModal = lazy(() => import("./HoldModal"));
const LedgerEventModal = lazy(() => import("../../components/ledger/LedgerEventModal"));

const words = strings.businessBalance;
const NOT_FOUND = 404;

export default function BusinessBalancePage() {
  const { id = "" } = useParams();
  const administrator = useIsAdministrator();
  const business = useApi("/admin/businesses/{id}", { path: { id } });
  const balance = useApi("/admin/balance/history", { query: { business_id: id, totals: 1 } });
  const filters = useBalanceFilters();
  const [event, setEvent] = useQueryState("event", parseAsString.withOptions({ history: "push" }));
  const [message, setMessage] = useState<string>();
  const totals = totalsOf(balance.data);

  if (business.error?.status === NOT_FOUND) {
    return (
      <Panel label={words.title}>
        <Notice icon={IconBuildingStore} title={words.missingTitle} heading="h1">
          {words.missing}
        </Notice>
      </Panel>
    );
  }
  return (
    <>
      {administrator && (
        <Anchor component={Link} to="/saques" className={styles.back}>
          <IconArrowLeft size={16} aria-hidden /> {words.back}
        </Anchor>
      )}
      <PageHeader
        title={business.data?.name ?? words.title}
        mark={business.data && <ApprovalBadge approval={business.data.approval} />}
        hint={business.data ? companyText(business.data) : <Skeleton height={18} width={160} mt={4} />}
        actions={<Actions businessId={id} totals={totals} onDone={setMessage} />}
      />
      <ServerMessage message={message} variant="success" onClose={() => setMessage(undefined)} />
      {balance.error && !totals ? (
        <Panel label={strings.balance.figures}>
          <FailureNotice failure={balance.error} onRetry={() => void balance.mutate()} />
        </Panel>
      ) : (
        <BalanceFigures totals={totals} failed={balance.error !== undefined} />
      )}
      <Movements
        filters={filters}
        statement={<StaffStatement businessId={id} filters={filters} />}
        transfers={<BusinessTransfers businessId={id} filters={filters} />}
      />
      <Suspense>
        {event && <LedgerEventModal businessId={id} eventId={event} onClose={() => void setEvent(null)} />}
      </Suspense>
    </>
  );
}

function companyText({ type, document }: Pick<BusinessDetail, "type" | "document">): string {
  return `${strings.businessType[type]} · ${taxId(document)}`;
}

interface ActionsProps {
  businessId: string;
  totals: BalanceTotals | undefined;
  onDone: (message: string | undefined) => void;
}

function Actions({ businessId, totals, onDone }: ActionsProps) {
  const modals = useModals();
  const may = useIsAdministrator();
  const [holding, setHolding] = useState<HoldKind>();
  const manual = () =>
    modals.open(
      "REQUEST_MANUAL_TRANSFER",
      { businessId },
      {
        onConfirm: ({ amount }) => onDone(strings.manualTransfer.done(money(amount))),
        // What changes somebody's balance for good is left by its buttons only.
        dismissible: false,
      },
    );
  const choices = [
    [strings.hold.hold, IconLock, () => setHolding("hold")],
    [strings.hold.release, IconLockOpen, () => setHolding("release")],
    [strings.manualTransfer.open, IconAdjustments, manual],
  ] as const;
  return (
    <div className={styles.actions}>
      {choices.map(([label, Icon, run]) => (
        <ReasonedButton
          key={label}
          variant="default"
          leftSection={<Icon size={17} aria-hidden />}
          why={may ? undefined : words.forAdmins}
          onClick={run}
        >
          {label}
        </ReasonedButton>
      ))}
      <Suspense>
        {holding && (
          <HoldModal
            kind={holding}
            businessId={businessId}
            totals={totals}
            onClose={() => setHolding(undefined)}
            onDone={(message) => {
              setHolding(undefined);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

interface ListProps {
  businessId: string;
  filters: BalanceFilters;
}

function StaffStatement({ businessId, filters }: ListProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.period, order };
  const read = useApi("/admin/balance/history", { query: { ...query, page, perPage } });
  const download = useDownload("/admin/balance/history", { query }, strings.statement.file);
  return (
    <Statement
      name="business-statement"
      lines={{ ...read, data: linesOf(read.data) }}
      columns={staffStatementColumns}
      lineTarget={eventOfLine}
      list={list}
      filters={filters}
      download={download}
    />
  );
}

function BusinessTransfers({ businessId, filters }: ListProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.query, order };
  const transfers = useApi("/admin/balance/transfers", { query: { ...query, page, perPage } });
  const download = useDownload("/admin/balance/transfers", { query }, strings.transfers.file);
  return (
    <Transfers
      name="business-transfers"
      transfers={transfers}
      list={list}
      filters={filters}
      download={download}
    />
  );
}
