// Finds the orders of a buyer by the buyer's document, or one order by its reference, and erases the buyer's data. The
// typed document is not written to the address, which browsers keep.
import { Anchor, Button, TextInput } from "@mantine/core";
import { IconUserSearch } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import { screenTitle, useMayOpen } from "../../api/access";
import { useCommand } from "../../api/hooks";
import type { BuyerOrder } from "../../api/models";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { buyersStrings } from "../../strings/pt-BR.buyers";
import styles from "./Buyers.module.css";
import { type BuyerSearch, EraseBuyerModal } from "./EraseBuyerModal";
import { orderStatusText, parseBuyerSearch } from "./search";

const words = buyersStrings.search;
/** A CNPJ with its punctuation has 18 characters. A pasted one may have spaces around it. */
const TYPED_CHARS_MAX = 20;

interface Found {
  search: BuyerSearch;
  orders: readonly BuyerOrder[];
}

export default function BuyersPage() {
  const search = useCommand("POST /admin/buyers/search", { refreshes: [] });
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const [found, setFound] = useState<Found>();
  const [erasing, setErasing] = useState<{ search: BuyerSearch; title: string }>();
  const [done, setDone] = useState<string>();
  const find = async (criteria: BuyerSearch) => {
    const answer = await search.run({ body: criteria }).catch(() => undefined);
    if (answer) setFound({ search: criteria, orders: answer.data });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const criteria = parseBuyerSearch(typed);
    setDone(undefined);
    // If this search fails, the last buyer's orders must not stay: staff could erase the wrong buyer.
    setFound(undefined);
    setFault(criteria ? undefined : words.missing);
    if (criteria) void find(criteria);
  };
  const fields = search.failure?.fields;
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/compradores")} hint={words.hint} />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <Panel title={words.title}>
        <form className={styles.search} onSubmit={submit} noValidate>
          <TextInput
            label={words.field}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={fault ?? fields?.document ?? fields?.order}
            maxLength={TYPED_CHARS_MAX}
            autoComplete="off"
            required
          />
          <Button type="submit" loading={search.running}>
            {words.submit}
          </Button>
        </form>
        {search.failure && !fields?.document && !fields?.order && (
          <ServerMessage message={search.failure.message} code={search.failure.code} onClose={search.reset} />
        )}
      </Panel>
      {found && (
        <Orders found={found} onErase={(criteria, title) => setErasing({ search: criteria, title })} />
      )}
      <Erasures />
      {erasing && (
        <EraseBuyerModal
          {...erasing}
          onClose={() => setErasing(undefined)}
          onDone={(message) => {
            setErasing(undefined);
            setDone(message);
            if (found) void find(found.search);
          }}
        />
      )}
    </>
  );
}

interface OrdersProps {
  found: Found;
  onErase: (search: BuyerSearch, title: string) => void;
}

function Orders({ found: { search, orders }, onErase }: OrdersProps) {
  const eraseAll = "document" in search && orders.some(({ erasable }) => erasable) && (
    <Button variant="default" onClick={() => onErase(search, buyersStrings.eraseTitle)}>
      {words.eraseAll}
    </Button>
  );
  return (
    <Panel title={words.orders} action={eraseAll} flush>
      {orders.length === 0 ? (
        <Notice icon={IconUserSearch} title={words.noneTitle} heading="h3">
          {words.none}
        </Notice>
      ) : (
        <ul className={`${styles.rows} ${styles.orders}`} aria-label={words.orders}>
          {orders.map((order) => (
            <OrderLine key={order.order} order={order} onErase={onErase} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function OrderLine({ order, onErase }: { order: BuyerOrder; onErase: OrdersProps["onErase"] }) {
  const maySee = useMayOpen("/vendas/:id");
  const { order: reference, business, description, amount, status, created_at, sale_id } = order;
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <strong>
          {reference} · {description}
        </strong>
        <span className={shared.dim}>{business.name}</span>
      </div>
      <div className={styles.text}>
        <span>
          {money(amount)} · {orderStatusText(status)}
        </span>
        <span className={shared.dim}>
          {words.at} <Instant at={created_at} />
        </span>
      </div>
      <div className={styles.actions}>
        {maySee && sale_id && (
          <Anchor component={Link} to={`/vendas/${sale_id}`} aria-label={words.saleOf(reference)}>
            {words.sale}
          </Anchor>
        )}
        {order.erasable ? (
          <Button
            variant="default"
            aria-label={`${buyersStrings.erase}: ${reference}`}
            onClick={() => onErase({ order: reference }, buyersStrings.eraseOneTitle(reference))}
          >
            {buyersStrings.erase}
          </Button>
        ) : (
          <span className={shared.dim}>{order.erased_at ? words.gone : words.keepsOpen}</span>
        )}
      </div>
    </li>
  );
}

function Erasures() {
  const list = useHistory("/admin/buyers/history");
  return <History subject="buyer" list={list} />;
}
