// /transacao/:id/status: the state of an order, the buyer's next step, and another try.
import { useEffect, useState } from "react";
import { BoletoToPay } from "./BoletoToPay";
import type { CallFailure } from "./calls";
import { hasUnanswered } from "./commands";
import type { Order } from "./contract";
import { FailurePage } from "./FailurePage";
import type { PageProps } from "./LinkPage";
import { Loading } from "./Loading";
import { Message } from "./Message";
import { Challenge, Expired, Paid, Processing, Returned } from "./OrderStates";
import { EarlierPix, PixToPay } from "./PixToPay";
import { RetryForm } from "./RetryForm";
import { showSummary } from "./summary";
import { Unanswered } from "./Unanswered";
import { useOrder } from "./useOrder";
import { words } from "./words";

const NOT_FOUND = 404;

interface Props extends PageProps {
  id: string;
  /** The order that the app has already read, if any. */
  first: Order | undefined;
}

export function OrderPage({ id, first, card, onCard, onOrder }: Props) {
  const { order, failure, note } = useOrder(id, first);
  const [unanswered, setUnanswered] = useState(() => hasUnanswered(id));

  useEffect(() => {
    if (order) showSummary({ ...order, amount: order.attempt.total });
  }, [order]);

  if (unanswered) {
    const answered = (answer: Order) => {
      note(answer);
      setUnanswered(false);
    };
    return <Unanswered subject={id} onOrder={answered} onRefused={() => setUnanswered(false)} />;
  }
  if (!order) return <NotRead failure={failure} />;
  const noteNew = (answer: Order) => {
    note(answer);
    onOrder(answer);
  };
  return (
    <>
      <p className="hidden" role="status">
        {order.attempt.status_label}
      </p>
      <Attempt order={order} />
      {order.earlier_pix && <EarlierPix pix={order.earlier_pix} />}
      {failure && !order.final && <p className="note warning">{words.order.offline}</p>}
      {mayRetry(order) && (
        <RetryForm
          key={order.attempt.number}
          order={order}
          card={card}
          onCard={onCard}
          onOrder={noteNew}
          onUnanswered={() => setUnanswered(true)}
        />
      )}
      <p className="reference">{words.order.reference(order.id)}</p>
    </>
  );
}

function mayRetry({ final, can_retry, attempt }: Order): boolean {
  return !final && (can_retry || attempt.status === "to_pay");
}

function NotRead({ failure }: { failure: CallFailure | undefined }) {
  if (!failure) return <Loading />;
  if (failure.status === NOT_FOUND) {
    return <Message tone="quiet" title={words.failure.orderUnknown} text={words.link.unknownText} />;
  }
  return <FailurePage failure={failure} onRetry={() => window.location.reload()} />;
}

/** The order's state for the buyer. */
function Attempt({ order }: { order: Order }) {
  const { attempt } = order;
  if (order.status === "paid" || attempt.status === "paid") return <Paid order={order} />;
  if (order.final)
    return order.status === "canceled" ? <Returned order={order} /> : <Expired order={order} />;
  switch (attempt.status) {
    case "to_pay":
      if (attempt.pix) return <PixToPay pix={attempt.pix} />;
      if (attempt.boleto) return <BoletoToPay boleto={attempt.boleto} heldUntil={order.use_held_until} />;
      return <Processing />;
    case "challenge":
      return <Challenge url={attempt.challenge_url} />;
    case "declined":
      return <Declined order={order} />;
    case "expired":
    case "canceled":
      return <EndedAttempt order={order} />;
    default:
      return <Processing />;
  }
}

function Declined({ order: { attempt } }: { order: Order }) {
  const { message, advice } = attempt.decline ?? { message: "", advice: "" };
  return (
    <Message tone="bad" title={words.order.declined} text={message || words.order.notCharged}>
      {advice && <p className="advice">{advice}</p>}
    </Message>
  );
}

/** An acquirer may cancel a code before it expires. The buyer needs a new one in both cases. */
function EndedAttempt({ order: { attempt } }: { order: Order }) {
  const { payment_type, status, status_label } = attempt;
  if (payment_type !== "pix" && payment_type !== "boleto") {
    return <Message tone="quiet" title={status_label} text={words.order.notCharged} />;
  }
  const ended = words.order.ended[payment_type];
  return (
    <Message tone="quiet" title={status === "canceled" ? ended.canceled : ended.expired} text={ended.text} />
  );
}
