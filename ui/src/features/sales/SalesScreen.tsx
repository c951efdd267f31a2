// A list of sales: filters and page in the address, totals of the filtered sales, a table. The page reads the sales
// and passes them in.
import { IconReceipt } from "@tabler/icons-react";
import type { Read } from "../../api/hooks";
import type { SaleRow, SaleTotals } from "../../api/models";
import { Figure, Figures } from "../../components/Figure";
import { PageHeader } from "../../components/PageHeader";
import { type Card, DataTable } from "../../components/table/DataTable";
import type { Columns } from "../../components/table/features";
import type { TableList } from "../../components/table/useList";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import { ORDER_COLUMN, type SalesListPath, saleTarget } from "./columns";
import { type StatusFilter, totalFigures } from "./totals";

const words = salesStrings.sales;

interface SalesScreenProps<Row extends SaleRow> {
  name: string;
  title?: string;
  hint: string;
  listPath?: SalesListPath;
  totals: Read<SaleTotals>;
  columns: Columns<Row>;
  hiddenAtFirst: readonly string[];
  card: (sale: Row) => Card;
  list: TableList<Row>;
  status: StatusFilter;
}

export function SalesScreen<Row extends SaleRow>(props: SalesScreenProps<Row>) {
  const { list, totals, status } = props;
  const { read } = list;
  return (
    <>
      <PageHeader title={props.title ?? words.title} hint={props.hint} />
      <Totals totals={totals} status={status} />
      <DataTable
        name={props.name}
        label={words.table}
        columns={props.columns}
        hiddenAtFirst={props.hiddenAtFirst}
        orderColumn={ORDER_COLUMN}
        list={{ ...list, read: { ...read, mutate: () => Promise.all([read.mutate(), totals.mutate()]) } }}
        icon={IconReceipt}
        words={words}
        rowId={(sale) => sale.id}
        rowTarget={(sale) => saleTarget(sale, props.listPath)}
        card={props.card}
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
