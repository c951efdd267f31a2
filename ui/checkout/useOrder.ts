// An order, followed until it is final.
import { useCallback, useEffect, useState } from "react";
import type { CallFailure } from "./calls";
import type { Order } from "./contract";
import { followOrder } from "./follow";

/** A late answer about an earlier attempt does not replace a newer one. */
function newerOf(known: Order | undefined, read: Order): Order {
  return known && known.attempt.number > read.attempt.number ? known : read;
}

interface Followed {
  order: Order | undefined;
  /** The failure of the last call. Undefined if the call succeeded. */
  failure: CallFailure | undefined;
  /** Takes the order from the answer to a command. */
  note: (order: Order) => void;
}

export function useOrder(id: string, first: Order | undefined): Followed {
  const [order, setOrder] = useState(first);
  const [failure, setFailure] = useState<CallFailure>();
  const note = useCallback((read: Order) => {
    setOrder((known) => newerOf(known, read));
    setFailure(undefined);
  }, []);

  const isKnown = first !== undefined;
  const isFinal = order?.final ?? false;
  useEffect(() => {
    if (isFinal) return;
    return followOrder(id, isKnown, { onOrder: note, onFailure: setFailure });
  }, [id, isKnown, isFinal, note]);
  return { order, failure, note };
}
