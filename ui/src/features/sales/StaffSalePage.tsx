// One sale of any company, as staff see it: with its company, a link to the balance, the buyer and the ledger's events.
import { Anchor, Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Link, useParams } from "react-router";
import { useMayCall, useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { AdminSaleDetail, SaleEvent } from "../../api/models";
import { useOpened } from "../../components/table/opened";
import { salesStrings } from "../../strings/pt-BR.sales";
import { eventTitle } from "./eventText";
import styles from "./SalePage.module.css";
import { SaleScreen } from "./SaleScreen";

const LedgerEventModal = lazy(() => import("../../components/ledger/LedgerEventModal"));

const SaleBuyer = lazy(() => import("../buyers/StaffSaleBuyer"));

const words = salesStrings.sale;

export default function StaffSalePage() {
  const { id = "" } = useParams();
  const sale = useApi(
    "/admin/transactions/{id}",
    { path: { id }, query: { receivables: 1 } },
    // Amounts of another sale must not appear at this address.
    { keepPrevious: false },
  );
  const [shownEvent, setShownEvent] = useOpened("event");
  const business = sale.data?.business;
  // An event shows postings. Only roles that may read them get the button.
  const mayReadEvents = useMayCall("GET /admin/businesses/{id}/events/{event}");
  const eventButton = (event: SaleEvent) => (
    <Button
      variant="subtle"
      size="compact-sm"
      className={styles.eventAction}
      aria-label={words.seeEvent(eventTitle(event))}
      onClick={() => setShownEvent(String(event.sequence))}
    >
      {words.event}
    </Button>
  );
  return (
    <>
      <SaleScreen
        id={id}
        read={sale}
        sellerOf={({ business: seller }) => seller}
        buyer={<SaleBuyer saleId={id} />}
        facts={business && [[words.business, <Company key="business" business={business} />] as const]}
        eventAction={mayReadEvents ? eventButton : undefined}
      />
      <Suspense>
        {shownEvent && business && mayReadEvents && (
          <LedgerEventModal businessId={business.id} event={shownEvent} onClose={() => setShownEvent(null)} />
        )}
      </Suspense>
    </>
  );
}

function Company({ business: { id, name } }: Pick<AdminSaleDetail, "business">) {
  if (!useMayOpen("/empresas/:id/saldo")) return name;
  return (
    <Anchor component={Link} to={`/empresas/${id}/saldo`} aria-label={words.openBalance(name)} inherit>
      {name}
    </Anchor>
  );
}
