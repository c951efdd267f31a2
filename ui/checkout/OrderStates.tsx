// States of an order in which the buyer has nothing to type.
import { money } from "../src/format/money";
import { forgetOrder } from "./commands";
import type { Order } from "./contract";
import { Message } from "./Message";
import { addressOfLink } from "./place";
import { instant } from "./time";
import { words } from "./words";

export function Processing() {
  return (
    <Message tone="wait" title={words.order.processing} text={words.order.processingText}>
      <span className="spinner" aria-hidden="true" />
    </Message>
  );
}

/** Whether the acquirer's address is one of the web, and not a script (`javascript:`). */
export const isWebAddress = (url: string) => /^https?:\/\//.test(url);

export function Challenge({ url }: { url: string | null }) {
  if (!url || !isWebAddress(url)) return <Processing />;
  return (
    <Message tone="wait" title={words.order.challenge} text={words.order.challengeText}>
      <a className="primary" href={url}>
        {words.order.challengeButton}
      </a>
    </Message>
  );
}

function paidWith({ payment_type, installments }: Order["attempt"]): string {
  if (payment_type === "pix" || payment_type === "boleto") return words.types[payment_type];
  return installments > 1 ? words.order.creditInstallments(installments) : words.order.creditAtOnce;
}

export function Paid({ order }: { order: Order }) {
  const { attempt, seller, description, id, link_code } = order;
  const facts = [
    [words.order.facts.amount, money(attempt.total)],
    [words.order.facts.paidWith, paidWith(attempt)],
    [words.order.facts.paidAt, attempt.paid_at && instant(attempt.paid_at)],
    [words.order.facts.seller, seller.name],
    [words.order.facts.description, description],
    [words.order.facts.reference, id],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]));
  return (
    <Message tone="good" title={words.order.paid} text={words.order.paidText(seller.name)}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <OpenLinkAgain code={link_code} label={words.order.payAgain} />
    </Message>
  );
}

export function Expired({ order }: { order: Order }) {
  return (
    <Message tone="quiet" title={words.order.expired} text={words.order.expiredText}>
      <OpenLinkAgain code={order.link_code} label={words.order.openLink} />
    </Message>
  );
}

/** The order was paid, and its money went back. */
export function Returned({ order: { attempt, link_code } }: { order: Order }) {
  const kind = attempt.payment_type === "credit" ? "credit" : "other";
  return (
    <Message
      tone="quiet"
      title={words.order.returned}
      text={words.order.returnedText[kind](money(attempt.total))}
    >
      <OpenLinkAgain code={link_code} label={words.order.payAgain} />
    </Message>
  );
}

function OpenLinkAgain({ code, label }: { code: string; label: string }) {
  return (
    <a className="secondary" href={addressOfLink(code)} onClick={() => forgetOrder(code)}>
      {label}
    </a>
  );
}
