// The page of the address. An order that was placed replaces the link's form without loading a page.
import { useCallback, useState } from "react";
import { BoletoPage } from "./BoletoPage";
import { NO_CARD } from "./card";
import type { Order } from "./contract";
import { LinkPage } from "./LinkPage";
import { Message } from "./Message";
import { OrderPage } from "./OrderPage";
import { isWebAddress } from "./OrderStates";
import { addressOfOrder, type Place } from "./place";
import { words } from "./words";

export function App({ opened }: { opened: Place }) {
  const [place, setPlace] = useState(opened);
  const [order, setOrder] = useState<Order>();
  // Card data live here, so that a declined card can be corrected.
  const [card, setCard] = useState(NO_CARD);

  const showOrder = useCallback((placed: Order) => {
    // Replaces the form's address: the back button must not lead to a form that would place a second order.
    window.history.replaceState(null, "", addressOfOrder(placed.id));
    setOrder(placed);
    setPlace({ page: "order", id: placed.id });
    window.scrollTo(0, 0);
    if (placed.attempt.status === "paid") setCard(NO_CARD);
    const { status, challenge_url } = placed.attempt;
    if (status === "challenge" && challenge_url && isWebAddress(challenge_url)) {
      window.location.assign(challenge_url);
    }
  }, []);

  const page = { card, onCard: setCard, onOrder: showOrder };
  switch (place.page) {
    case "link":
      return <LinkPage code={place.code} {...page} />;
    case "order":
      return <OrderPage id={place.id} first={order} {...page} />;
    case "boleto":
      return <BoletoPage id={place.id} />;
    default:
      return <Message tone="quiet" title={words.failure.notFound} text={words.link.unknownText} />;
  }
}
