// A command whose answer was lost is sent again before anything else can be done.
import { useCallback, useEffect, useState } from "react";
import { hasUnanswered, resume } from "./commands";
import type { Order } from "./contract";
import { Message } from "./Message";
import { words } from "./words";

interface Props {
  /** The link's code or the order's reference. */
  subject: string;
  onOrder: (order: Order) => void;
  onRefused: (error: unknown) => void;
}

export function Unanswered({ subject, onOrder, onRefused }: Props) {
  const [isSending, setSending] = useState(true);

  const send = useCallback(async () => {
    setSending(true);
    try {
      onOrder(await resume(subject));
    } catch (error) {
      if (!hasUnanswered(subject)) return onRefused(error);
      setSending(false);
    }
  }, [subject, onOrder, onRefused]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it opens
  useEffect(() => {
    void send();
  }, [subject]);

  useEffect(() => {
    window.addEventListener("online", send);
    return () => window.removeEventListener("online", send);
  }, [send]);

  return (
    <Message tone="wait" title={words.unanswered.title} text={words.unanswered.text}>
      <button type="button" className="primary" disabled={isSending} onClick={send}>
        {isSending ? words.unanswered.sending : words.retry}
      </button>
    </Message>
  );
}
