// The transfers of all companies or of the chosen one, and the actions on withdrawals. Each action asks before it runs.
import { Button } from "@mantine/core";
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleX,
  IconClockPlay,
  IconInbox,
  IconZoomExclamation,
} from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../api/models";
import { BusinessSelect, type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { PageHeader } from "../../components/PageHeader";
import { ReasonedButton } from "../../components/ReasonedButton";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ServerMessage } from "../../components/ServerMessage";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { RowActions } from "../../components/table/RowActions";
import { type Selection, useSelection } from "../../components/table/selection";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import type { ActionRequest } from "./ActionModal";
import { ACTIONS, type Action, commonDisabledReason, disabledReason } from "./actions";
import { statusChoices, type TransferFilters, useTransferFilters } from "./filters";
import { businessTarget, QUEUE_HIDDEN_AT_FIRST, queueCard, queueColumns } from "./queueColumns";
import { staffOrder } from "./transferColumns";

// Loads when the first action is chosen.
const ActionModal = lazy(() => import("./ActionModal"));

const words = withdrawalsStrings.queue;
const idOf = ({ id }: Transfer) => id;
const nameOf = ({ business, amount }: Transfer) => words.row(business.name, money(amount));

const ICONS: Record<Action, typeof IconInbox> = {
  approve: IconCircleCheck,
  process: IconClockPlay,
  refuse: IconCircleX,
  fail: IconZoomExclamation,
  pending: IconArrowBackUp,
};

export default function WithdrawalsPage() {
  const filters = useTransferFilters();
  const list = useListState();
  const orderColumn = staffOrder(filters.status);
  const query = {
    ...filters.query,
    ...(filters.business && { business_id: filters.business }),
    ...(filters.destination && { new_destination: 1 }),
    ...(orderColumn && { order: list.order }),
  };
  const chosen = useNamedBusiness(filters.business);
  const { read: transfers, download } = useList(
    "/admin/balance/transfers",
    { query },
    list,
    withdrawalsStrings.transfers.file,
    chosen?.name,
  );
  const selection = useSelection(transfers.data?.data, idOf, nameOf);
  const [request, setRequest] = useState<ActionRequest>();
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
        read={transfers}
        filters={<Filters filters={filters} chosen={chosen} />}
        empty={<EmptyList filters={filters} icon={IconInbox} words={withdrawalsStrings.transfers} />}
        rowId={idOf}
        rowTarget={businessTarget}
        card={queueCard}
        download={download}
        selection={selection}
        selectionBar={<SelectionBar selection={selection} onAsk={openAction} />}
        rowActions={(transfer) => <Actions transfer={transfer} onAsk={openAction} />}
      />
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

function Filters({ filters, chosen }: { filters: TransferFilters; chosen: NamedBusiness | undefined }) {
  return (
    <>
      <FilterSelect
        label={withdrawalsStrings.transfers.status}
        placeholder={withdrawalsStrings.transfers.all}
        options={statusChoices}
        value={filters.status}
        onChange={filters.changeStatus}
      />
      <BusinessSelect
        label={words.business}
        placeholder={words.allFeminine}
        size="sm"
        value={filters.business}
        onChange={filters.changeBusiness}
        chosen={chosen}
      />
      <FilterSelect
        label={words.destination}
        placeholder={words.allFeminine}
        options={words.destinations}
        value={filters.destination}
        onChange={filters.changeDestination}
      />
      <DateRange value={filters.period} onChange={filters.changePeriod} />
    </>
  );
}

type OnAsk = (action: Action, transfers: readonly Transfer[]) => void;

function Actions({ transfer, onAsk }: { transfer: Transfer; onAsk: OnAsk }) {
  return (
    <RowActions
      row={nameOf(transfer)}
      actions={ACTIONS.map((action) => ({
        label: words.labels[action],
        icon: ICONS[action],
        disabledReason: disabledReason(action, transfer),
        run: () => onAsk(action, [transfer]),
      }))}
    />
  );
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
        const Icon = ICONS[action];
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
