// Where the money of a sale went, once it was available: the withdrawals and other debits that took it.
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { SaleDetail, SaleUse, SaleUsePart } from "../../api/models";
import { type PanelName, panel } from "../../api/panel";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { money } from "../../format/money";
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
              <PartText part={part} of={used} />
            </li>
          )),
        )}
      </ul>
    </Panel>
  );
}

function PartText({ part, of }: { part: SaleUsePart; of: SaleUse }) {
  const share = words.share(money(part.amount), money(of.movement.amount));
  return (
    <>
      <span>
        {part.movement ? part.movement.description : words.available}
        <small>
          {of.movement.description}
          {part.movement && (
            <>
              {" · "}
              <Instant at={part.movement.occurred_at} />
            </>
          )}
        </small>
      </span>
      <strong>{share}</strong>
    </>
  );
}
