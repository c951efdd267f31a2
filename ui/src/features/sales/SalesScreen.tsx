// A list of sales: filters and page in the address, totals of the filtered sales, a table. The page reads the sales
// and passes them in.
import { IconReceipt } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Download } from "../../api/download";
import type { Paged, Read } from "../../api/hooks";
import type { SaleRow, SaleTotals } from "../../api/models";
import { DateRange } from "../../components/DateRange";
import { Figure, Figures } from "../../components/Figure";
import { FilterSelect } from "../../components/FilterSelect";
import { PageHeader } from "../../components/PageHeader";
import { type Card, DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Columns } from "../../components/table/features";
import type { ListState } from "../../components/table/listState";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import { ORDER_COLUMN, type SalesListPath, saleTarget } from "./columns";
import { choices, type SaleFilters } from "./filters";
import { type StatusFilter, totalFigures } from "./totals";

const words = salesStrings.sales;

interface SalesScreenProps<Row extends SaleRow> {
  name: string;
  title?: string;
  hint: string;
  listPath?: SalesListPath;
  sales: Read<Paged<Row>>;
  totals: Read<SaleTotals>;
  columns: Columns<Row>;
  hiddenAtFirst: readonly string[];
  card: (sale: Row) => Card;
  list: ListState;
  filters: SaleFilters;
  /** A filter that only this list has. It comes first. */
  firstFilter?: ReactNode;
  /** Whether all sales are of one solution, so that there is no filter for it. */
  oneSolution?: boolean;
  download: Download;
}

export function SalesScreen<Row extends SaleRow>(props: SalesScreenProps<Row>) {
  const { sales, totals, filters } = props;
  return (
    <>
      <PageHeader title={props.title ?? words.title} hint={props.hint} />
      <Totals totals={totals} status={filters.status} />
      <DataTable
        name={props.name}
        label={words.table}
        columns={props.columns}
        hiddenAtFirst={props.hiddenAtFirst}
        orderColumn={ORDER_COLUMN}
        list={props.list}
        read={{ ...sales, mutate: () => Promise.all([sales.mutate(), totals.mutate()]) }}
        filters={
          <>
            {props.firstFilter}
            <Filters filters={filters} oneSolution={props.oneSolution} />
          </>
        }
        empty={<EmptyList filters={filters} icon={IconReceipt} words={words} />}
        rowId={(sale) => sale.id}
        rowTarget={(sale) => saleTarget(sale, props.listPath)}
        card={props.card}
        download={props.download}
      />
    </>
  );
}

function Totals({ totals, status }: { totals: Read<SaleTotals>; status: StatusFilter }) {
  // Totals of the previous filters must not be above rows of the new ones.
  const sum = totals.error || totals.isLoading ? undefined : totals.data;
  const shown = (value: number | undefined, text: (value: number) => string) =>
    totals.error ? strings.list.none : value === undefined ? undefined : text(value);
  return (
    <Figures label={words.totals}>
      {totalFigures(status).map(({ figure, label, note }) => (
        <Figure
          key={figure}
          label={label}
          note={note}
          value={shown(sum?.[figure], figure === "count" ? wholeNumber : money)}
        />
      ))}
    </Figures>
  );
}

function Filters({
  filters,
  oneSolution = false,
}: {
  filters: SaleFilters;
  oneSolution?: boolean | undefined;
}) {
  return (
    <>
      <FilterSelect
        label={words.status}
        placeholder={words.all}
        options={choices.status}
        value={filters.status}
        onChange={(status) => filters.change({ status })}
      />
      {!oneSolution && (
        <FilterSelect
          label={words.solution}
          placeholder={words.allFeminine}
          options={choices.solution}
          value={filters.solution}
          onChange={(solution) => filters.change({ solution })}
        />
      )}
      <FilterSelect
        label={words.paymentType}
        placeholder={words.all}
        options={choices.paymentType}
        value={filters.paymentType}
        onChange={(paymentType) => filters.change({ paymentType })}
      />
      <FilterSelect
        label={words.brand}
        placeholder={words.allFeminine}
        options={choices.brand}
        value={filters.brand}
        onChange={(brand) => filters.change({ brand })}
      />
      <DateRange value={filters.period} onChange={filters.changePeriod} zone={filters.zone} />
      <FromReport filters={filters} oneSolution={oneSolution} />
    </>
  );
}

/** Filters that a report's link to its sales sets in the address. The user can see and remove them here. */
function FromReport({ filters, oneSolution }: { filters: SaleFilters; oneSolution: boolean }) {
  const { by, terminal, link, change } = filters;
  return (
    <>
      {by && (
        <FilterSelect
          label={words.byLabel}
          placeholder={words.allFeminine}
          options={choices.by}
          value={by}
          onChange={(next) => change({ by: next })}
        />
      )}
      {terminal && !oneSolution && (
        <FilterSelect
          label={words.terminal}
          placeholder={words.allFeminine}
          options={{ [terminal]: terminal === "any" ? words.anyTerminal : words.chosenTerminal }}
          value={terminal}
          onChange={(next) => change({ terminal: next })}
        />
      )}
      {link && !oneSolution && (
        <FilterSelect
          label={words.link}
          placeholder={words.all}
          options={{ [link]: link }}
          value={link}
          onChange={(next) => change({ link: next })}
        />
      )}
    </>
  );
}
