// The closing of a month: the balances before and after it, the credits and debits between them, and a download
// of the whole month as one workbook.
import { Button, Select, Skeleton, Table } from "@mantine/core";
import { IconAlertTriangle, IconBuildingStore, IconCircleCheck, IconDownload } from "@tabler/icons-react";
import { parseAsString, useQueryStates } from "nuqs";
import { screenTitle } from "../../api/access";
import { useDownload } from "../../api/download";
import { type ReadParams, useApi } from "../../api/hooks";
import { panel } from "../../api/panel";
import { reportCalls } from "../../api/reportCalls";
import { businessNow } from "../../api/serverClock";
import { useSession } from "../../api/session";
import { BusinessSelect } from "../../components/BusinessSelect";
import { useIsPhone } from "../../components/breakpoints";
import { Figure, Figures } from "../../components/Figure";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { Strip } from "../../components/Strip";
import { ExportFailure } from "../../components/table/ExportButton";
import { businessToday, monthName, previousMonth } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { closingStrings } from "../../strings/pt-BR.reportEmails";
import { reportStrings } from "../../strings/pt-BR.reports";
import styles from "./Closing.module.css";
import { closingMonths } from "./closingMonths";

const words = closingStrings;
const ROUTE = "/relatorios/fechamento";

const parsers = { month: parseAsString, business: parseAsString };

type Closing = NonNullable<ReturnType<typeof useClosing>["read"]["data"]>;

function useClosing(id: string | undefined, month: string) {
  // The panels' paths name the company differently. Each takes one of the two.
  const path = { businessId: id ?? "", business_id: id ?? "" };
  const params = { path, query: { month } } as unknown as ReadParams<typeof reportCalls.closing>;
  const read = useApi(id ? reportCalls.closing : null, params, { keepPrevious: false });
  const download = useDownload(reportCalls.closing, params, words.file, read.data?.business.name);
  return { read, download };
}

export default function ClosingPage() {
  const { business: own } = useSession();
  const [{ month, business }, set] = useQueryStates(parsers, { history: "push" });
  const [lastStart] = previousMonth(businessToday(businessNow()));
  const lastMonth = lastStart.slice(0, 7);
  const chosen = month ?? lastMonth;
  const id = own?.id ?? business ?? undefined;
  const { read, download } = useClosing(id, chosen);
  const { data, error } = read;
  return (
    <>
      <PageHeader
        title={screenTitle(ROUTE)}
        hint={`${words.hint} ${reportStrings.daysInBrasilia}`}
        actions={
          id && (
            <Button
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={download.running}
              disabled={Boolean(error)}
              onClick={download.run}
            >
              {words.download}
            </Button>
          )
        }
      />
      <section className={styles.filters} aria-label={reportStrings.filters.region}>
        {panel === "admin" && (
          <BusinessSelect
            label={words.company}
            placeholder={words.chooseCompany}
            size="sm"
            value={business}
            onChange={(next) => void set({ business: next })}
            chosen={data && { id: data.business.id, name: data.business.name }}
          />
        )}
        <Select
          label={words.month}
          size="sm"
          data={closingMonths(lastStart, chosen).map((value) => ({
            value,
            label: monthName(`${value}-01`),
          }))}
          value={chosen}
          onChange={(next) => void set({ month: next === lastMonth ? null : next })}
          error={error?.fields.month}
          comboboxProps={{ shadow: "md" }}
        />
      </section>
      <ExportFailure download={download} />
      {!id ? (
        <Panel label={words.accounts}>
          <Notice icon={IconBuildingStore} title={words.needsCompany} heading="h2">
            {words.needsCompanyText}
          </Notice>
        </Panel>
      ) : error ? (
        <Panel label={words.accounts}>
          <FailureNotice failure={error} onRetry={() => void read.mutate()} />
        </Panel>
      ) : (
        <ClosingParts closing={data} />
      )}
    </>
  );
}

function ClosingParts({ closing }: { closing: Closing | undefined }) {
  const figures = closing?.figures;
  const fees = closing?.platform_fees;
  const shown = (amount: number | undefined) => (amount === undefined ? undefined : money(amount));
  return (
    <>
      <Figures label={words.figures}>
        <Figure
          label={words.gross}
          value={shown(figures?.gross)}
          note={figures && reportStrings.rows.counted(figures.count, wholeNumber(figures.count))}
        />
        <Figure label={words.net} value={shown(figures?.net)} />
        <Figure label={words.fees} value={shown(fees?.total)} />
        <Figure label={words.settled} value={shown(figures?.settled.amount)} />
        <Figure label={words.open} value={shown(closing?.open_receivables)} />
      </Figures>
      {closing?.overdue_receivables.map(({ reason, label, installments, net }) => (
        <Strip key={reason} tone="wait" icon={<IconAlertTriangle size={20} aria-hidden />} title={label}>
          {words.overdue(installments, money(net))}
        </Strip>
      ))}
      <Panel title={words.accounts} hint={words.accountsHint} flush>
        {closing ? <Accounts closing={closing} /> : <Skeleton height={320} />}
      </Panel>
      <Panel title={words.sheets}>
        <ul className={styles.sheets}>
          {words.sheetList.map((sheet) => (
            <li key={sheet}>{sheet}</li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

const COLUMNS = ["opening", "credits", "debits", "closing"] as const;

function Accounts({ closing: { accounts, balanced } }: { closing: Closing }) {
  const sum = (column: (typeof COLUMNS)[number]) =>
    accounts.reduce((total, account) => total + account[column], 0);
  const phone = useIsPhone();
  const rows = [
    ...accounts.map((account) => ({ ...account, name: words.accountNames[account.account] })),
    {
      account: "total",
      name: words.total,
      ...Object.fromEntries(COLUMNS.map((column) => [column, sum(column)])),
    } as Record<(typeof COLUMNS)[number], number> & { account: string; name: string },
  ];
  return (
    <>
      {phone ? (
        <ul className={styles.cards} aria-label={words.accounts}>
          {rows.map((row) => (
            <li key={row.account}>
              <h3>{row.name}</h3>
              <dl>
                {COLUMNS.map((column) => (
                  <div key={column}>
                    <dt>{words.columns[column]}</dt>
                    <dd>{money(row[column])}</dd>
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ul>
      ) : (
        <ScrollRegion label={words.accounts} className={styles.scroll}>
          <Table className={styles.accounts} aria-label={words.accounts}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{words.columns.account}</Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Th key={column} scope="col" data-align="end">
                    {words.columns[column]}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {accounts.map((account) => (
                <Table.Tr key={account.account}>
                  <Table.Th scope="row">{words.accountNames[account.account]}</Table.Th>
                  {COLUMNS.map((column) => (
                    <Table.Td key={column} data-align="end">
                      {money(account[column])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">{words.total}</Table.Th>
                {COLUMNS.map((column) => (
                  <Table.Td key={column} data-align="end">
                    {money(sum(column))}
                  </Table.Td>
                ))}
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </ScrollRegion>
      )}
      <p className={styles.balanced} data-balanced={balanced} role="status">
        {balanced ? <IconCircleCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
        {balanced ? words.balanced : words.different}
      </p>
    </>
  );
}
