// Every sale of the business: filters and page in the address bar, totals of what is filtered, one table.
import { Button } from "@mantine/core";
import { IconFilterOff, IconReceipt, IconSearch } from "@tabler/icons-react";
import { useApi, useDownload } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { DateRange } from "../../components/DateRange";
import { Figure, Figures } from "../../components/Figure";
import { FilterSelect } from "../../components/FilterSelect";
import { Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { DataTable } from "../../components/table/DataTable";
import { useListState } from "../../components/table/listState";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { HIDDEN_AT_FIRST, ORDER_COLUMN, saleCard, saleColumns, saleTarget } from "./columns";
import { choices, type SaleFilters, useSaleFilters } from "./filters";

const words = strings.sales;

export default function SalesPage() {
  const business = useBusiness();
  const filters = useSaleFilters();
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: business.id, ...filters.query };
  const sales = useApi("/transactions", { query: { ...query, page, perPage, order } });
  const totals = useApi("/transactions/totals", { query });
  const download = useDownload("/transactions", { query: { ...query, order } }, words.file);
  const sum = totals.error ? undefined : totals.data;
  const shown = (value: number | undefined, text: (value: number) => string) =>
    totals.error ? strings.list.none : value === undefined ? undefined : text(value);

  return (
    <>
      <PageHeader title={words.title} hint={words.hint} />
      <Figures label={words.totals}>
        <Figure label={words.totalCount} value={shown(sum?.count, wholeNumber)} />
        <Figure label={words.totalGross} value={shown(sum?.gross, money)} />
        <Figure label={words.totalFees} value={shown(sum?.fees, money)} />
        <Figure label={words.totalNet} value={shown(sum?.net, money)} />
      </Figures>
      <DataTable
        name="sales"
        label={words.table}
        columns={saleColumns}
        hiddenAtFirst={HIDDEN_AT_FIRST}
        orderColumn={ORDER_COLUMN}
        list={list}
        page={sales.data}
        stale={sales.isLoading && sales.data !== undefined}
        failure={sales.error}
        onRetry={() => void Promise.all([sales.mutate(), totals.mutate()])}
        filters={<Filters filters={filters} />}
        empty={<NoSales filters={filters} />}
        rowId={(sale) => sale.id}
        rowTarget={saleTarget}
        card={saleCard}
        download={download}
      />
    </>
  );
}

function Filters({ filters }: { filters: SaleFilters }) {
  return (
    <>
      <FilterSelect
        label={words.status}
        placeholder={words.all}
        options={choices.status}
        value={filters.status}
        onChange={(status) => filters.change({ status })}
      />
      <FilterSelect
        label={words.solution}
        placeholder={words.allFeminine}
        options={choices.solution}
        value={filters.solution}
        onChange={(solution) => filters.change({ solution })}
      />
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
      <DateRange value={filters.period} onChange={filters.changePeriod} />
    </>
  );
}

function NoSales({ filters }: { filters: SaleFilters }) {
  if (!filters.any) {
    return (
      <Notice icon={IconReceipt} title={words.emptyTitle}>
        {words.empty}
      </Notice>
    );
  }
  const clear = (
    <Button variant="default" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={filters.clear}>
      {strings.list.clearFilters}
    </Button>
  );
  return (
    <Notice icon={IconSearch} title={words.nothingFoundTitle} action={clear}>
      {words.nothingFound}
    </Notice>
  );
}
