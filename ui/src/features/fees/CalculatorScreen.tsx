// The calculator: one amount by payment type and number of installments, with the fees paid by the seller or by the
// buyer. The gateway prices all rows with the function that prices real sales.
import { Button, Select, Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCopy } from "@tabler/icons-react";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { screenTitle } from "../../api/access";
import { fieldTextsOrMessage } from "../../api/failure";
import { useApi } from "../../api/hooks";
import type { SimulationRow } from "../../api/models";
import { useSession } from "../../api/session";
import { useIsNarrow } from "../../components/breakpoints";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { ServerMessage } from "../../components/ServerMessage";
import { MAIN_BRANDS, OTHER_BRANDS } from "../../format/brands";
import { money } from "../../format/money";
import { brandName, paymentText } from "../../format/payment";
import { feesStrings } from "../../strings/pt-BR.fees";
import { copiedText, installmentsText, mayCopy, whenText } from "./calculatorText";
import styles from "./Fees.module.css";

const words = feesStrings.calculator;
const BRANDS = [...MAIN_BRANDS, ...OTHER_BRANDS] as const;
/** The prices are read when nothing was typed for this time. */
const PAUSE_MS = 300;

const parsers = {
  amount: parseAsInteger,
  brand: parseAsStringLiteral(BRANDS).withDefault("visa"),
  payer: parseAsStringLiteral(["seller", "buyer"] as const).withDefault("seller"),
};

interface CalculatorScreenProps {
  route: string;
  solution: number;
  types: readonly string[];
}

export function CalculatorScreen({ route, solution, types }: CalculatorScreenProps) {
  const [{ amount, brand, payer }, set] = useQueryStates(parsers);
  const { business } = useSession();
  const [priced] = useDebouncedValue(amount, PAUSE_MS);
  const query = {
    solution,
    amount: priced ?? 0,
    brand,
    payer,
    ...(business && { business_id: business.id }),
  };
  const read = useApi(business && priced ? "/business/plan/simulation/table" : null, { query });
  const rows = amount
    ? read.data?.rows.filter(({ payment_type }) => types.includes(payment_type))
    : undefined;
  return (
    <>
      <PageHeader title={screenTitle(route)} hint={words.hint} />
      <div className={styles.page}>
        <Panel label={screenTitle(route)}>
          <div className={styles.fields}>
            <Select
              label={words.payer}
              data={Object.entries(words.payers).map(([value, label]) => ({ value, label }))}
              value={payer}
              onChange={(next) => set({ payer: next as typeof payer })}
            />
            <MoneyInput
              label={payer === "buyer" ? words.amountBuyer : words.amountSeller}
              value={amount ?? undefined}
              onChange={(cents) => set({ amount: cents ?? null })}
              error={read.error?.fields.amount}
            />
            <Select
              label={words.brand}
              data={BRANDS.map((value) => ({ value, label: brandName(value) }))}
              value={brand}
              onChange={(next) => set({ brand: next as typeof brand })}
              searchable
            />
          </div>
        </Panel>
        <ServerMessage
          message={read.error && !read.error.fields.amount ? fieldTextsOrMessage(read.error) : undefined}
          code={read.error?.code}
          // Only an answer without an error removes the message, so closing it reads again.
          onClose={() => void read.mutate()}
        />
        <Panel
          title={words.table}
          action={
            rows && amount && mayCopy({ amount, priced, isPrevious: read.isPrevious }) ? (
              <CopyButton text={copiedText(rows, amount, brand)} />
            ) : undefined
          }
        >
          {rows ? (
            <Result rows={rows} />
          ) : amount && read.isLoading ? (
            <Skeleton height={420} />
          ) : (
            <p className={styles.note}>{words.empty}</p>
          )}
        </Panel>
      </div>
    </>
  );
}

function Result({ rows }: { rows: readonly SimulationRow[] }) {
  const narrow = useIsNarrow();
  return narrow ? <Cards rows={rows} /> : <PriceTable rows={rows} />;
}

const rowKey = ({ payment_type, installments }: SimulationRow) => `${payment_type} ${installments}`;

function PriceTable({ rows }: { rows: readonly SimulationRow[] }) {
  const titles = words.columns;
  return (
    <ScrollRegion label={words.table} className={styles.scroll}>
      <table className={styles.table} aria-label={words.table}>
        <thead>
          <tr>
            {Object.values(titles).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row">{paymentText(row.payment_type, row.installments)}</th>
              {row.price ? (
                <>
                  <td>{money(row.price.charged)}</td>
                  <td>{installmentsText(row.price)}</td>
                  <td>{money(row.price.fees_total)}</td>
                  <td className={styles.net}>{money(row.price.net)}</td>
                  <td>{whenText(row.price)}</td>
                </>
              ) : (
                <td colSpan={5}>{row.reason}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Cards({ rows }: { rows: readonly SimulationRow[] }) {
  return (
    <ul className={styles.rows} aria-label={words.table}>
      {rows.map((row) => (
        <li key={rowKey(row)}>
          <span className={styles.line}>
            <strong>{paymentText(row.payment_type, row.installments)}</strong>
            {row.price && <strong>{money(row.price.net)}</strong>}
          </span>
          <span className={styles.small}>
            {row.price
              ? words.card(money(row.price.charged), installmentsText(row.price), whenText(row.price))
              : row.reason}
          </span>
        </li>
      ))}
    </ul>
  );
}

function CopyButton({ text }: { text: string }) {
  const [message, setMessage] = useState<string>();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setMessage(words.copied),
      () => setMessage(words.copyFailed),
    );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={15} aria-hidden />}
        onClick={() => void copy()}
      >
        {words.copy}
      </Button>
      <span role="status" className={styles.small}>
        {message}
      </span>
    </>
  );
}
