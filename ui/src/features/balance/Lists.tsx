// The two lists of a balance as tables; where their rows come from is the page's affair.
import { IconArrowUpRight, IconReceipt } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Failure } from "../../api/failure";
import type { Download } from "../../api/hooks";
import type { BalanceMovement, PageMeta, Transfer } from "../../api/models";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { DataTable, type RowTarget } from "../../components/table/DataTable";
import type { Columns } from "../../components/table/features";
import type { ListState } from "../../components/table/listState";
import { Nothing } from "../../components/table/Nothing";
import { strings } from "../../strings/pt-BR";
import { type BalanceFilters, statusChoices } from "./filters";
import { STATEMENT_HIDDEN, STATEMENT_ORDER, statementCard } from "./statementColumns";
import { TRANSFERS_HIDDEN, TRANSFERS_ORDER, transferCard, transferColumns } from "./transferColumns";

/** What reading a page gives, as the hooks give it. */
export interface Read<Page> {
  data: Page | undefined;
  error: Failure | undefined;
  isLoading: boolean;
  mutate: () => Promise<unknown>;
}

interface Paged<Row> {
  data: Row[];
  meta: PageMeta;
}

interface StatementProps<Line extends BalanceMovement> {
  name: string;
  lines: Read<Paged<Line>>;
  columns: Columns<Line>;
  lineTarget: (line: Line) => RowTarget | undefined;
  list: ListState;
  filters: BalanceFilters;
  download: Download;
}

export function Statement<Line extends BalanceMovement>(props: StatementProps<Line>) {
  const { lines, list, filters } = props;
  return (
    <DataTable
      name={props.name}
      label={strings.statement.table}
      columns={props.columns}
      hiddenAtFirst={STATEMENT_HIDDEN}
      orderColumn={STATEMENT_ORDER}
      list={list}
      page={lines.data}
      stale={lines.isLoading && lines.data !== undefined}
      failure={lines.error}
      onRetry={() => void lines.mutate()}
      filters={<DateRange value={filters.period} onChange={filters.changePeriod} />}
      empty={<Nothing filters={filters} icon={IconReceipt} words={strings.statement} />}
      rowId={(line) => String(line.id)}
      rowTarget={props.lineTarget}
      card={statementCard}
      download={props.download}
    />
  );
}

interface TransfersProps {
  name: string;
  transfers: Read<Paged<Transfer>>;
  list: ListState;
  filters: BalanceFilters;
  download: Download;
  rowActions?: (transfer: Transfer) => ReactNode;
}

export function Transfers({ name, transfers, list, filters, download, rowActions }: TransfersProps) {
  return (
    <DataTable
      name={name}
      label={strings.transfers.table}
      columns={transferColumns}
      hiddenAtFirst={TRANSFERS_HIDDEN}
      orderColumn={TRANSFERS_ORDER}
      list={list}
      page={transfers.data}
      stale={transfers.isLoading && transfers.data !== undefined}
      failure={transfers.error}
      onRetry={() => void transfers.mutate()}
      filters={
        <>
          <FilterSelect
            label={strings.transfers.status}
            placeholder={strings.transfers.all}
            options={statusChoices}
            value={filters.status}
            onChange={filters.changeStatus}
          />
          <DateRange value={filters.period} onChange={filters.changePeriod} />
        </>
      }
      empty={<Nothing filters={filters} icon={IconArrowUpRight} words={strings.transfers} />}
      rowId={(transfer) => transfer.id}
      card={transferCard}
      download={download}
      rowActions={rowActions}
    />
  );
}
