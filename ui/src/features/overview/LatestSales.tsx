// The newest sales, each with a link to its page.
import { Anchor, Skeleton } from "@mantine/core";
import { Link } from "react-router";
import type { SaleRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { SaleAmount } from "../../components/SaleAmount";
import { StatusBadge } from "../../components/StatusBadge";
import { brandName, paymentText } from "../../format/payment";
import { shortCode } from "../../format/text";
import { overviewStrings } from "../../strings/pt-BR.overview";
import styles from "./OverviewPage.module.css";

const words = overviewStrings.overview;

function payment({ payment_type, payment_method }: SaleRow): string {
  const text = paymentText(payment_type, payment_method.installments);
  return payment_method.card_brand ? `${text} · ${brandName(payment_method.card_brand)}` : text;
}

export function LatestSales({ sales }: { sales: readonly SaleRow[] | undefined }) {
  const all = (
    <Anchor component={Link} to="/vendas" size="sm">
      {words.seeAll}
    </Anchor>
  );
  return (
    <Panel title={words.latest} action={all} flush>
      <ul className={styles.latestRows} aria-busy={sales === undefined}>
        {sales === undefined
          ? [88, 72, 80, 64, 76].map((width) => (
              <li key={width}>
                <div className={styles.sale}>
                  <Skeleton height={18} width={`${width}%`} my={2} />
                </div>
              </li>
            ))
          : sales.map((sale) => (
              <li key={sale.id}>
                <Link className={styles.sale} to={`/vendas/${sale.id}`}>
                  <span className={styles.saleCode}>{shortCode(sale.id)}</span>
                  <span className={styles.rowTime}>
                    <Instant at={sale.occurred_at} />
                  </span>
                  <span className={styles.salePayment}>{payment(sale)}</span>
                  <span className={styles.saleStatus}>
                    <StatusBadge status={sale.status} />
                  </span>
                  <span className={styles.rowAmount}>
                    <SaleAmount sale={sale} />
                  </span>
                </Link>
              </li>
            ))}
      </ul>
    </Panel>
  );
}
