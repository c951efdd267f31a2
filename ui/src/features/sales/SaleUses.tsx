// Where the money of a sale went, once it was available: the withdrawals and other debits that took it.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { SaleDetail, SaleUse, SaleUsePart } from "../../api/models";
import { type PanelName, panel } from "../../api/panel";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { WithdrawalLink, withdrawalOf } from "../../components/WithdrawalLink";
import { money } from "../../format/money";
import { shortCode } from "../../format/text";
import { salesStrings } from "../../strings/pt-BR.sales";
import styles from "./SalePage.module.css";

const PATHS = {
  seller: "/transactions/{id}/uses",
  admin: "/admin/transactions/{id}/uses",
} as const satisfies Record<PanelName, unknown>;

const words = salesStrings.sale.uses;

/** Nothing before the first settlement, and nothing for users who may not see the balance. */
export function SaleUses({ sale }: { sale: SaleDetail }) {
  const mayRead = useMayCall(`GET ${PATHS[panel]}`);
  const isSettled = sale.receivables.some(({ status }) => status === "settled");
  return mayRead && isSettled ? <Uses sale={sale} /> : null;
}

function Uses({ sale: { id, business_id } }: { sale: SaleDetail }) {
  const read = useApi(PATHS[panel], { path: { id }, query: { business_id } });
  if (read.error && !read.data) {
    return (
      <Panel title={words.title}>
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      </Panel>
    );
  }
  if (!read.data) return null;
  return (
    <Panel title={words.title} hint={words.hint}>
      <ul className={styles.uses} aria-label={words.title}>
        {read.data.data.flatMap((used) =>
          used.parts.map((part, index) => (
            // The parts of a credit never change places.
            <li key={`${used.movement.id} ${index}`}>
              <PartText part={part} of={used} sale={id} />
            </li>
          )),
        )}
      </ul>
    </Panel>
  );
}

/** A withdrawal leads to its page, and a refund or dispute of another sale to that sale. */
function PartText({ part, of, sale }: { part: SaleUsePart; of: SaleUse; sale: string }) {
  const taken = part.movement;
  const other = taken?.sale_id && taken.sale_id !== sale ? taken.sale_id : undefined;
  const share = words.share(money(part.amount), money(of.movement.amount));
  return (
    <>
      <span>
        {taken ? (
          <WithdrawalLink id={withdrawalOf(taken)}>{taken.description}</WithdrawalLink>
        ) : (
          words.available
        )}
        {other && (
          <>
            {" "}
            <Anchor component={Link} to={`/vendas/${other}`} inherit underline="always">
              {shortCode(other)}
            </Anchor>
          </>
        )}
        <small>
          {of.movement.description}
          {taken && (
            <>
              {" · "}
              <Instant at={taken.occurred_at} />
            </>
          )}
        </small>
      </span>
      <strong>{share}</strong>
    </>
  );
}
