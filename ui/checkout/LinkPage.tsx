// /pl/:code: the form of a link, or why the link cannot be paid. An unfinished order of this browser opens instead.
import { useCallback, useEffect, useState } from "react";
import { asCallFailure, type CallFailure, getLink } from "./calls";
import type { CardFields } from "./card";
import { hasUnanswered, unfinishedOrder } from "./commands";
import type { Link, Order } from "./contract";
import { FailurePage } from "./FailurePage";
import { LinkForm } from "./LinkForm";
import { Loading } from "./Loading";
import { Message } from "./Message";
import { offeredTypes } from "./prices";
import { showSummary } from "./summary";
import { timeOfDay } from "./time";
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

/** How often the page asks whether the link takes cards again. */
const CARD_POLL_MS = 30_000;
/** The amount to ask with, for a link without a fixed amount and without limits. */
const SAMPLE_AMOUNT = 100_00;

/**
 * After many declined cards (card testing), a link takes no cards until `card_closed_until`, or until staff allow
 * them. Asks whether the link takes cards again.
 */
function useCardReopening(link: Link | undefined, onLink: (link: Link) => void) {
  useEffect(() => {
    if (!link?.card_closed_until) return;
    const ask = async () => {
      // With an amount, because a call without one counts as an opening of the page.
      const amount = link.amount ?? link.amount_min ?? link.amount_max ?? SAMPLE_AMOUNT;
      const read = await getLink(link.code, amount).catch(() => undefined);
      if (!read || read.card_closed_until === link.card_closed_until) return;
      onLink({ ...link, card_closed_until: read.card_closed_until });
    };
    const timer = setInterval(ask, CARD_POLL_MS);
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
      const [read, unfinished] = await Promise.all([getLink(code), unfinishedOrder(code)]);
      if (unfinished) return onOrder(unfinished);
      showSummary(read);
      setLink(read);
      setFailure(undefined);
    } catch (error) {
      setFailure(asCallFailure(error));
    }
  }, [code, onOrder]);

  useEffect(() => {
    if (!unanswered) void load();
  }, [unanswered, load]);
  useCardReopening(link, setLink);

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
  if (link.status === "exhausted" && link.held_until) {
    const text = words.link.heldText(timeOfDay(link.held_until));
    return <Message tone="quiet" title={words.link.held} text={text} />;
  }
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
