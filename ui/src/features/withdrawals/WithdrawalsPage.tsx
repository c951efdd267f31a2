// The transfers of all companies or of the chosen one, and the actions on withdrawals. Each action asks before it runs.
import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../api/hooks";
import type { Transfer, TransferStages } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { useTimeZone } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { ReasonedButton } from "../../components/ReasonedButton";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { RowActions } from "../../components/table/RowActions";
import { type Selection, useSelection } from "../../components/table/selection";
import { useList } from "../../components/table/useList";
import { age } from "../../format/age";
import { money, wholeNumber } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import type { ActionRequest } from "./ActionModal";
import { ACTION_ICONS, RETURN_ICON } from "./actionIcons";
import { ACTIONS, type Action, commonDisabledReason, disabledReason, returnDisabledReason } from "./actions";
import {
  nameQuery,
  QUEUE_FILTERS,
  queueFiltersOf,
  STAGES,
  type Stage,
  stageOf,
  statusQuery,
  zonedQuery,
} from "./filters";
import { QUEUE_HIDDEN_AT_FIRST, queueCard, queueColumns } from "./queueColumns";
import { withdrawalTarget } from "./Transfers";
import { staffOrder, TRANSFERS_ORDER } from "./transferColumns";
import styles from "./Withdrawals.module.css";

// Loads when the first action is chosen.
const ActionModal = lazy(() => import("./ActionModal"));
const ReturnModal = lazy(() => import("./ReturnModal"));

const words = withdrawalsStrings.queue;
const idOf = ({ id }: Transfer) => id;
const nameOf = ({ business, amount }: Transfer) => words.row(business.name, money(amount));

/** What decides on the stage. */
const ADDRESS = { stage: parseAsStringLiteral(STAGES), status: parseAsString };

export default function WithdrawalsPage() {
  const zone = useTimeZone();
  const [address] = useQueryStates(ADDRESS);
  const list = useList("/admin/balance/transfers", {
    filters: QUEUE_FILTERS,
    shown: queueFiltersOf(stageOf(address)),
    query: ({ status, business, destination, period, name, ...of }, order) => ({
      ...stageQuery(stageOf({ ...of, status })),
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      ...nameQuery(name),
      ...(business && { business_id: business }),
      ...(destination && { new_destination: 1 }),
      ...((stageOf({ ...of, status }) !== "all" || staffOrder(status)) && { order }),
    }),
    file: withdrawalsStrings.transfers.file,
  });
  const { read: transfers } = list;
  const stage = stageOf(address);
  const stages = useApi("/admin/balance/transfers/stages");
  // Only the list of everything has its pending ones first.
  const orderColumn = stage === "all" ? staffOrder(list.chosen.status) : TRANSFERS_ORDER;
  const selection = useSelection(transfers.data?.data, idOf, nameOf);
  const [request, setRequest] = useState<ActionRequest>();
  const [returned, setReturned] = useState<Transfer>();
  const [message, setMessage] = useState<string>();
  const openAction = (action: Action, of: readonly Transfer[]) => {
    setMessage(undefined);
    setRequest({ action, transfers: of });
  };
  return (
    <>
      <PageHeader
        title={words.title}
        // Without a status filter, the hint explains the order. With one, a no-break space keeps the line.
        hint={orderColumn ? "\u00a0" : words.hint}
        actions={
          <RefreshSelect
            name="withdrawals"
            reads={[transfers, stages]}
            onRefresh={() => void Promise.all([transfers.mutate(), stages.mutate()])}
          />
        }
      />
      <PageTabs
        label={words.stages.title}
        open={stage}
        onChange={(next) => {
          selection.clear();
          list.change({ stage: next, status: null });
        }}
        tabs={STAGES.map((each) => [each, <StageTab key={each} stage={each} totals={stages.data} />])}
        scrolls
      />
      <ServerMessage message={message} variant="success" onClose={() => setMessage(undefined)} />
      <DataTable
        name="withdrawals"
        label={withdrawalsStrings.transfers.table}
        columns={queueColumns}
        hiddenAtFirst={QUEUE_HIDDEN_AT_FIRST}
        {...(orderColumn && { orderColumn })}
        list={list}
        icon={IconInbox}
        words={withdrawalsStrings.transfers}
        rowId={idOf}
        rowTarget={withdrawalTarget}
        card={queueCard}
        selection={selection}
        selectionBar={<SelectionBar selection={selection} onAsk={openAction} />}
        rowActions={(transfer) => (
          <Actions
            transfer={transfer}
            onAsk={openAction}
            onReturn={() => {
              setMessage(undefined);
              setReturned(transfer);
            }}
          />
        )}
      />
      {returned && (
        <Suspense>
          <ReturnModal
            transfer={returned}
            onClose={() => setReturned(undefined)}
            onDone={(done) => {
              setReturned(undefined);
              setMessage(done);
            }}
          />
        </Suspense>
      )}
      {request && (
        <Suspense>
          <ActionModal
            {...request}
            onClose={() => setRequest(undefined)}
            onDone={(done) => {
              setRequest(undefined);
              selection.clear();
              setMessage(done);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const SECOND_MS = 1_000;

/** The list of everything has no stage. */
const stageQuery = (stage: Stage) => (stage === "all" ? {} : { stage });

/** "Pendentes", with "7 · R$ 4.821,00" and "o mais antigo há 3 h" below. */
function StageTab({ stage, totals }: { stage: Stage; totals: TransferStages | undefined }) {
  const of = stage === "all" ? undefined : totals?.[stage];
  const { sum, oldest } = words.stages;
  return (
    <span className={styles.stage}>
      {words.stages[stage]}
      {of && <small>{sum(wholeNumber(of.count), money(of.amount))}</small>}
      {of?.oldest_at && (
        <small>{oldest(age((businessNow().getTime() - Date.parse(of.oldest_at)) / SECOND_MS))}</small>
      )}
    </span>
  );
}

type OnAsk = (action: Action, transfers: readonly Transfer[]) => void;

interface ActionsProps {
  transfer: Transfer;
  onAsk: OnAsk;
  onReturn: () => void;
}

function Actions({ transfer, onAsk, onReturn }: ActionsProps) {
  const ofStaff = ACTIONS.map((action) => ({
    label: words.labels[action],
    icon: ACTION_ICONS[action],
    disabledReason: disabledReason(action, transfer),
    run: () => onAsk(action, [transfer]),
  }));
  const ofBank = {
    label: withdrawalsStrings.returned.action,
    icon: RETURN_ICON,
    disabledReason: returnDisabledReason(transfer),
    run: onReturn,
  };
  return <RowActions row={nameOf(transfer)} actions={[...ofStaff, ofBank]} />;
}

interface SelectionBarProps {
  selection: Selection<Transfer>;
  onAsk: OnAsk;
}

function SelectionBar({ selection, onAsk }: SelectionBarProps) {
  const { rows } = selection;
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  return (
    <>
      <strong role="status">{words.selected(rows.length, money(sum))}</strong>
      {ACTIONS.map((action) => {
        const Icon = ACTION_ICONS[action];
        return (
          <ReasonedButton
            key={action}
            variant="default"
            size="xs"
            leftSection={<Icon size={15} aria-hidden />}
            disabledReason={commonDisabledReason(action, rows)}
            onClick={() => onAsk(action, rows)}
          >
            {words.labels[action]}
          </ReasonedButton>
        );
      })}
      <Button variant="subtle" size="xs" onClick={selection.clear} color="var(--brand-text)">
        {words.clear}
      </Button>
    </>
  );
}
