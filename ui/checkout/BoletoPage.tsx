// /b/:id: goes to the document of a boleto, or says why there is none.
import { useEffect, useState } from "react";
import { asCallFailure, boletoPath, type CallFailure, checkBoleto, getOrder } from "./calls";
import type { Order } from "./contract";
import { FailurePage } from "./FailurePage";
import { Loading } from "./Loading";
import { Message, type Tone } from "./Message";
import { addressOfOrder } from "./place";
import { showSummary } from "./summary";
import { words } from "./words";

const NOT_FOUND = 404;
const GONE = 410;

export function BoletoPage({ id }: { id: string }) {
  const [found, setFound] = useState(false);
  const [failure, setFailure] = useState<CallFailure>();

  useEffect(() => {
    checkBoleto(id).then(
      () => {
        setFound(true);
        window.location.replace(boletoPath(id));
      },
      (error: unknown) => setFailure(asCallFailure(error)),
    );
  }, [id]);

  if (found) {
    return (
      <Message tone="wait" title={words.boleto.opening}>
        <a href={boletoPath(id)}>{words.boleto.open}</a>
      </Message>
    );
  }
  if (!failure) return <Loading />;
  if (failure.status === NOT_FOUND) {
    return <Message tone="quiet" title={words.boleto.unknown} text={words.boleto.unknownText} />;
  }
  if (failure.status === GONE) return <Gone id={failure.order ?? id} text={failure.message} />;
  return <FailurePage failure={failure} onRetry={() => window.location.reload()} />;
}

/** `text` is the gateway's message about the boleto. */
function Gone({ id, text }: { id: string; text: string }) {
  const [order, setOrder] = useState<Order>();
  useEffect(() => {
    // The gateway's message is shown without the order too.
    getOrder(id).then(setOrder, () => undefined);
  }, [id]);
  useEffect(() => {
    if (order) showSummary({ ...order, amount: order.attempt.total });
  }, [order]);
  return (
    <Message {...toneOf(order)} text={text}>
      {order && (
        <a className="secondary" href={addressOfOrder(order.id)}>
          {words.boleto.seeOrder}
        </a>
      )}
    </Message>
  );
}

function toneOf(order: Order | undefined): { tone: Tone; title: string } {
  if (order?.status === "paid") return { tone: "good", title: words.order.paid };
  if (order?.status === "canceled") return { tone: "quiet", title: words.order.returned };
  return { tone: "quiet", title: words.boleto.gone };
}
