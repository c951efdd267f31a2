// The transfers of all companies or of the chosen one, and the actions on withdrawals. Each action asks before it runs.
import { Button } from "@mantine/core";
import { IconInbox } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../api/models";
import { useTimeZone } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { ReasonedButton } from "../../components/ReasonedButton";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { RowActions } from "../../components/table/RowActions";
import { type Selection, useSelection } from "../../components/table/selection";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import type { ActionRequest } from "./ActionModal";
import { ACTION_ICONS, RETURN_ICON } from "./actionIcons";
import { ACTIONS, type Action, commonDisabledReason, disabledReason, returnDisabledReason } from "./actions";
import { nameQuery, QUEUE_FILTERS, statusQuery, zonedQuery } from "./filters";
import { QUEUE_HIDDEN_AT_FIRST, queueCard, queueColumns } from "./queueColumns";
import { withdrawalTarget } from "./Transfers";
import { staffOrder } from "./transferColumns";

// Loads when the first action is chosen.
const ActionModal = lazy(() => import("./ActionModal"));
const ReturnModal = lazy(() => import("./ReturnModal"));

const words = withdrawalsStrings.queue;
const idOf = ({ id }: Transfer) => id;
const nameOf = ({ business, amount }: Transfer) => words.row(business.name, money(amount));

export default function WithdrawalsPage() {
  const zone = useTimeZone();
  const list = useList("/admin/balance/transfers", {
    filters: QUEUE_FILTERS,
    query: ({ status, business, destination, period, name }, order) => ({
      ...statusQuery(status),
      ...zonedQuery(period, zone),
      ...nameQuery(name),
      ...(business && { business_id: business }),
      ...(destination && { new_destination: 1 }),
      ...(staffOrder(status) && { order }),
    }),
    file: withdrawalsStrings.transfers.file,
  });
  const { read: transfers } = list;
  const orderColumn = staffOrder(list.chosen.status);
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
          <RefreshSelect name="withdrawals" reads={[transfers]} onRefresh={() => void transfers.mutate()} />
        }
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
