// A report: filters, figures with their changes, a chart and a table. The report's
// definition lists its figures, rows and columns.
import { SegmentedControl } from "@mantine/core";
import { IconBuildingStore, IconChartBarOff, IconPrinter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { screenTitle, useMayOpen } from "../../api/access";
import type { NamedBusiness } from "../../components/BusinessSelect";
import { useIsNarrow } from "../../components/breakpoints";
import { FailureNotice, Notice } from "../../components/Notice";
import { RefreshSelect } from "../../components/RefreshSelect";
import { useTerminalName } from "../../components/TerminalSelect";
import { ColumnMenu } from "../../components/table/ColumnMenu";
import { EmptyList } from "../../components/table/EmptyList";
import { ExportButton, ExportFailure } from "../../components/table/ExportButton";
import { failurePlace } from "../../components/table/failurePlace";
import { useListState } from "../../components/table/listState";
import { OrderButton } from "../../components/table/OrderButton";
import { TablePager } from "../../components/table/TablePager";
import { ToolButton } from "../../components/table/ToolButton";
import { spanName } from "../../format/parts";
import { strings } from "../../strings/pt-BR";
import { reportStrings } from "../../strings/pt-BR.reports";
import type { ReportDefinition } from "./definitions";
import { salesBehind } from "./drillDown";
import { FilterBar } from "./FilterBar";
import type { FigureKey } from "./figures";
import { type ReportFilters, useReportFilters } from "./filters";
import { PrintHead } from "./PrintHead";
import { companyText, filtersText } from "./printText";
import { ReportChart } from "./ReportChart";
import { ReportFigures } from "./ReportFigures";
import styles from "./Reports.module.css";
import { ReportRows, type ReportTableProps, useReportTable } from "./ReportTable";
import {
  isPaged,
  type ReportBody,
  type ReportRow,
  type RowKind,
  rowsOf,
  sortOf,
  sortRows,
  totalOf,
} from "./rows";
import { type ReportRead, useReport } from "./useReport";

const words = reportStrings;

/** The value of the address parameter `terminal` that lists the sales of all card machines. */
const ANY_TERMINAL = "any";

export interface ReportProps {
  definition: ReportDefinition;
  company: NamedBusiness | undefined;
  /** The header of the page, with the tools of the report. */
  header: (tools: ReactNode) => ReactNode;
}

/** The kind of rows and the sort column from the address, or the report's defaults. */
function useView(definition: ReportDefinition, filters: ReportFilters) {
  const list = useListState();
  const kind: RowKind = definition.rows.find((each) => each === filters.rows) ?? definition.rows[0];
  return { list, kind, sort: sortOf(kind, filters.sort, definition.ranked) };
}

export default function Report({ definition, company, header }: ReportProps) {
  const title = screenTitle(definition.route);
  const filters = useReportFilters();
  const { list, kind, sort } = useView(definition, filters);
  const terminalName = useTerminalName(company?.id, filters.terminal);
  const report = useReport(definition, filters, { rows: kind, sort, list }, company);
  const { data: body, error, isLoading } = report.read;
  const mayOpenSales = useMayOpen("/vendas");
  // Without this filter, the list would also have sales that name no card machine.
  const machineFilter = definition.machinesOnly && !filters.terminal ? { terminal: ANY_TERMINAL } : {};
  const behind = (figure: FigureKey, row?: ReportRow) =>
    mayOpenSales && body && row?.scope !== null
      ? salesBehind(figure, {
          ...filters.scope,
          ...machineFilter,
          start: body.start,
          end: body.end,
          ...row?.scope,
        })
      : undefined;
  const stale = isLoading && body !== undefined;
  const failed = failurePlace(report.read) === "instead";
  const all = body && rowsOf(body, kind);
  const rows = all && (isPaged(kind) ? all : sortRows(all, kind, sort, list.order));
  const companyMissing = definition.needsCompany && !filters.business;
  const tools = (
    <div className={styles.tools}>
      <RefreshSelect
        name={definition.name}
        reads={[report.read]}
        onRefresh={() => void report.read.mutate()}
      />
      <ToolButton label={words.tools.print} icon={IconPrinter} onClick={() => window.print()} />
    </div>
  );
  return (
    <>
      {header(tools)}
      <PrintHead
        company={companyText(company, filters.business)}
        period={body && spanName(body)}
        filters={filtersText(filters, terminalName)}
      />
      <FilterBar definition={definition} filters={filters} company={company} failure={error} />
      {companyMissing ? (
        <CompanyMissing label={words.table(title)} />
      ) : (
        <>
          {!failed && (
            <>
              <ReportFigures figures={definition.figures} body={body} behind={behind} />
              {!(body && isEmpty(body)) && (
                <ReportChart
                  definition={definition}
                  title={title}
                  kind={kind}
                  body={body}
                  rows={rows}
                  file={definition.file}
                />
              )}
            </>
          )}
          <TablePart
            {...{ definition, kind, rows, stale, sort, list, behind, report, filters }}
            label={words.table(title)}
            total={body && totalOf(body)}
            onSort={(key, order) => {
              filters.change({ sort: key });
              list.setOrder(order);
            }}
          />
        </>
      )}
    </>
  );
}

/** Takes the place of the figures and the table until a company is chosen. */
function CompanyMissing({ label }: { label: string }) {
  return (
    <section className={styles.frame} aria-label={label}>
      <Notice icon={IconBuildingStore} title={words.empty.company} heading="h2">
        {words.empty.companyText}
      </Notice>
    </section>
  );
}

/** Whether the period has no sales, reversals, settlements and platform fees. */
function isEmpty(body: ReportBody): boolean {
  const { totals } = body;
  const { canceled, refunded, reversed, disputed, charged_back, settled } = totals;
  const events = [canceled, refunded, reversed, disputed, charged_back, settled];
  const platformFees = body.platform_fees?.total ?? 0;
  return totals.count === 0 && platformFees === 0 && events.every(({ count }) => count === 0);
}

interface TablePartProps extends ReportTableProps {
  report: ReportRead;
  filters: ReportFilters;
}

function TablePart({ report: { read, xlsx, csv }, filters, ...props }: TablePartProps) {
  const { definition, kind, label, list, rows } = props;
  const narrow = useIsNarrow();
  const { table, choices } = useReportTable(props);
  const { data: body, error } = read;
  const place = failurePlace(read);
  const empty = body !== undefined && (rows?.length === 0 || (!isPaged(kind) && isEmpty(body)));
  return (
    <section className={styles.frame} aria-label={label} tabIndex={-1}>
      <div className={styles.bar}>
        {definition.rows.length > 1 ? (
          <SegmentedControl
            size="sm"
            aria-label={words.rows.label}
            value={kind}
            onChange={(next) => filters.changeRows(next === definition.rows[0] ? null : (next as RowKind))}
            data={definition.rows.map((value) => ({ value, label: words.rows.kinds[value] }))}
          />
        ) : (
          <span />
        )}
        <div className={styles.tools}>
          {narrow ? <OrderButton list={list} words={orderWords(kind)} /> : <ColumnMenu choices={choices} />}
          <ExportButton download={xlsx} />
          <ExportButton download={csv} label={strings.list.exportCsv} />
        </div>
      </div>
      <ExportFailure download={xlsx} className={styles.message} />
      <ExportFailure download={csv} className={styles.message} />
      {error && place && <FailureNotice failure={error} onRetry={() => void read.mutate()} />}
      {place === "instead" ? null : empty ? (
        <EmptyList
          filters={filters}
          icon={IconChartBarOff}
          words={{ emptyTitle: words.empty.title, empty: words.empty.text }}
        />
      ) : (
        <ReportRows {...props} table={table} />
      )}
      {body?.meta && isPaged(kind) && !empty && place !== "instead" && (
        <TablePager meta={body.meta} list={list} />
      )}
    </section>
  );
}

const orderWords = (kind: RowKind) =>
  kind === "period" ? undefined : { asc: words.rows.lowest, desc: words.rows.highest };
