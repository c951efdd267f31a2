// The latest sales of a link, with a button to the list of all of them.
import { Button, Skeleton } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { Link } from "react-router";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { SaleAmount } from "../../components/SaleAmount";
import { StatusBadge } from "../../components/StatusBadge";
import { paymentText } from "../../format/payment";
import { shortCode } from "../../format/text";
import { linksStrings } from "../../strings/pt-BR.links";
import styles from "./Links.module.css";

const words = linksStrings.detail;
const SHOWN_MAX = 5;

export function LinkSales({ code }: { code: string }) {
  const business = useBusiness();
  const query = { business_id: business.id, payment_link: code, perPage: SHOWN_MAX };
  const { data, error, mutate } = useApi("/transactions", { query }, { keepPrevious: false });
  const all = (
    <Button variant="default" size="xs" component={Link} to={`/links-de-pagamento/vendas?link=${code}`}>
      {words.allSales}
    </Button>
  );
  return (
    <Panel title={words.sales} action={data && data.data.length > 0 ? all : undefined}>
      {data ? (
        data.data.length === 0 ? (
          <Notice icon={IconReceipt} title={words.noSales} heading="h3">
            {words.noSalesHint}
          </Notice>
        ) : (
          <ul className={`${styles.rows} ${styles.sales}`} aria-label={words.sales}>
            {data.data.map((sale) => (
              <li key={sale.id}>
                <Link
                  className={styles.sale}
                  to={`/links-de-pagamento/vendas/${sale.id}`}
                  aria-label={words.openSale(shortCode(sale.id))}
                >
                  <Instant at={sale.occurred_at} />
                </Link>
                <span>{paymentText(sale.payment_type, sale.payment_method.installments)}</span>
                <StatusBadge status={sale.status} />
                <SaleAmount sale={sale} />
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={180} />
      )}
    </Panel>
  );
}
