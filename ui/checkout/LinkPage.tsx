// /pl/:code: reads the link, and shows the form or why the link cannot be paid.
import { useCallback, useEffect, useState } from "react";
import { CallFailure, getLink } from "./calls";
import type { CardFields } from "./card";
import { hasUnanswered, openOrder } from "./commands";
import type { Link, Order } from "./contract";
import { FailurePage } from "./FailurePage";
import { LinkForm } from "./LinkForm";
import { Loading } from "./Loading";
import { Message } from "./Message";
import { offeredTypes } from "./prices";
import { showSummary } from "./summary";
import { Unanswered } from "./Unanswered";
import { words } from "./words";

const NOT_FOUND = 404;

export interface PageProps {
  card: CardFields;
  onCard: (card: CardFields) => void;
  onOrder: (order: Order) => void;
}

interface Props extends PageProps {
  code: string;
}

/** Between two questions whether a closed card form is open again. */
const ASK_MS = 30_000;
/** One that every link without bounds takes. */
const SOME_AMOUNT = 100_00;

/** A closed card form opens by itself when its time is over, or when staff open it. */
function useCardOpening(link: Link | undefined, onLink: (link: Link) => void) {
  useEffect(() => {
    if (!link?.card_closed_until) return;
    const ask = async () => {
      // With an amount, because a call without one counts as an opening of the page.
      const amount = link.amount ?? link.amount_min ?? link.amount_max ?? SOME_AMOUNT;
      const read = await getLink(link.code, amount).catch(() => undefined);
      if (!read || read.card_closed_until === link.card_closed_until) return;
      onLink({ ...link, card_closed_until: read.card_closed_until });
    };
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }, [link, onLink]);
}

export function LinkPage({ code, ...page }: Props) {
  const [link, setLink] = useState<Link>();
  const [failure, setFailure] = useState<CallFailure>();
  const [unanswered, setUnanswered] = useState(() => hasUnanswered(code));
  /** Why the gateway refused a command whose first answer was lost. */
  const [refusal, setRefusal] = useState<unknown>();
  const { onOrder } = page;

  const load = useCallback(async () => {
    try {
      const [read, open] = await Promise.all([getLink(code), openOrder(code)]);
      if (open) return onOrder(open);
      showSummary(read);
      setLink(read);
      setFailure(undefined);
    } catch (error) {
      setFailure(error instanceof CallFailure ? error : new CallFailure(0));
    }
  }, [code, onOrder]);

  useEffect(() => {
    if (!unanswered) void load();
  }, [unanswered, load]);
  useCardOpening(link, setLink);

  if (unanswered) {
    const refused = (error: unknown) => {
      setRefusal(error);
      setUnanswered(false);
    };
    return <Unanswered subject={code} onOrder={onOrder} onRefused={refused} />;
  }
  if (failure?.status === NOT_FOUND) {
    return <Message tone="quiet" title={words.link.unknown} text={words.link.unknownText} />;
  }
  if (failure) return <FailurePage failure={failure} onRetry={load} />;
  if (!link) return <Loading />;
  if (link.status !== "active") {
    return <Message tone="quiet" title={words.link[link.status]} text={words.link[`${link.status}Text`]} />;
  }
  if (offeredTypes(link.payment_types).length === 0) {
    return <Message tone="quiet" title={words.link.noTypes} text={words.link.noTypesText} />;
  }
  return (
    <LinkForm
      {...page}
      link={link}
      onReload={load}
      onUnanswered={() => setUnanswered(true)}
      refusal={refusal}
    />
  );
}
