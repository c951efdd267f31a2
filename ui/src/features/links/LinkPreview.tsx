// The preview of a link while it is typed: what the buyer sees, and what the seller receives. The gateway prices it
// with the function that prices real sales.
import { Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { fieldTextsOrMessage } from "../../api/failure";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { paymentText } from "../../format/payment";
import { PAYMENT_LINK } from "../../format/solutions";
import { linksStrings } from "../../strings/pt-BR.links";
import styles from "./Links.module.css";
import { amountText } from "./linkText";
import type { LinkValues } from "./linkValues";
import { offeredRows, type PricedRow } from "./preview";

const words = linksStrings.preview;
/** The prices are read after this time without a change of the amount. */
const PAUSE_MS = 300;
/** The most frequent brand; the note says that others may differ. */
const BRAND = "visa";

export function LinkPreview({ values }: { values: LinkValues }) {
  const business = useBusiness();
  const fixed = values.kind === "fixed";
  const [amount] = useDebouncedValue(fixed ? values.amount : undefined, PAUSE_MS);
  const query = {
    solution: PAYMENT_LINK,
    amount: amount ?? 0,
    brand: BRAND,
    payer: values.payer,
    business_id: business.id,
  };
  const { data, error, isLoading } = useApi(amount ? "/business/plan/simulation/table" : null, { query });
  const shown = fixed && values.amount && !error ? data?.rows : undefined;
  const rows = shown && offeredRows(shown, values.payment_types, Number(values.installments_max));
  return (
    <Panel title={words.title}>
      <h3 className={styles.heading}>{words.buyer}</h3>
      <div className={styles.page}>
        <p className={shared.note}>{business.name}</p>
        <h4 className={styles.pageTitle}>{values.description.trim() || words.noDescription}</h4>
        <p className={styles.pageAmount}>{buyerAmount(values, rows)}</p>
        {rows && <BuyerRows rows={rows} />}
      </div>
      <h3 className={styles.heading}>{words.seller}</h3>
      <div aria-live="polite">
        {rows ? (
          <SellerRows rows={rows} byCard={values.payment_types.includes("credit")} />
        ) : isLoading ? (
          <Skeleton height={120} />
        ) : (
          <p className={shared.note}>
            {error ? fieldTextsOrMessage(error) : fixed ? words.noAmount : words.open}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** If the buyer pays the fees, the amount is that of the cheapest payment type. */
function buyerAmount(
  { kind, amount, amount_min, amount_max }: LinkValues,
  rows?: readonly PricedRow[],
): string {
  if (kind === "open")
    return amountText({ amount: null, amount_min: amount_min ?? null, amount_max: amount_max ?? null });
  const least = rows && rows.length > 0 ? Math.min(...rows.map(({ charged }) => charged)) : undefined;
  return money(least ?? amount ?? 0);
}

function BuyerRows({ rows }: { rows: readonly PricedRow[] }) {
  return (
    <ul className={styles.rows} aria-label={words.buyer}>
      {rows.map((row) => (
        <li key={rowKey(row)}>
          <span>{paymentText(row.type, row.installments)}</span>
          <span>{buyerText(row)}</span>
        </li>
      ))}
    </ul>
  );
}

const rowKey = ({ type, installments }: PricedRow) => `${type} ${installments}`;

function buyerText({ installments, charged, each }: PricedRow): string {
  if (installments === 1) return money(charged);
  return `${words.installments(installments, money(each))}, ${words.total(money(charged))}`;
}

function SellerRows({ rows, byCard }: { rows: readonly PricedRow[]; byCard: boolean }) {
  if (rows.length === 0) return <p className={shared.note}>{words.noTypes}</p>;
  return (
    <>
      <ul className={styles.rows} aria-label={words.seller}>
        {rows.map((row) => (
          <li key={rowKey(row)}>
            <span>{paymentText(row.type, row.installments)}</span>
            <strong>{money(row.net)}</strong>
          </li>
        ))}
      </ul>
      {byCard && <p className={shared.note}>{words.brandNote}</p>}
    </>
  );
}
