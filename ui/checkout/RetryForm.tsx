// Another try for an open order: another card, another payment type, or a new code.
import { type FormEvent, useState } from "react";
import { money } from "../src/format/money";
import { AddressForm } from "./BuyerForm";
import { addressErrors, addressOf, type FieldErrors } from "./buyer";
import { CallFailure } from "./calls";
import { type CardFields, cardErrors, chosenInstallments, earlyNumberError, withBrand } from "./card";
import { hasUnanswered, tryAgain } from "./commands";
import type { AttemptStatus, Order, Payment, PaymentType } from "./contract";
import { draftOf } from "./draft";
import { Alert } from "./Message";
import { PayButton } from "./PayButton";
import { type CardEntry, cardObstacle, PaymentChoice } from "./PaymentChoice";
import { offeredTypes, totalOf } from "./prices";
import { serverNow, today } from "./time";
import { useFieldErrors } from "./useFieldErrors";
import { failureText, usePayment } from "./usePayment";
import { words } from "./words";

interface Props {
  order: Order;
  card: CardFields;
  onCard: (card: CardFields) => void;
  onOrder: (order: Order) => void;
  onUnanswered: () => void;
}

const OPEN: readonly AttemptStatus[] = ["processing", "to_pay", "challenge"];

export function RetryForm(props: Props) {
  const { order } = props;
  const [isFormOpen, setFormOpen] = useState(false);
  // While the attempt can still be paid or confirmed, the buyer opens the form by a button.
  if (!isFormOpen && OPEN.includes(order.attempt.status)) {
    return (
      <button type="button" className="secondary" onClick={() => setFormOpen(true)}>
        {words.order.otherWay}
      </button>
    );
  }
  return <Form {...props} />;
}

/** Errors under the names of the page's fields: `address.city` of an attempt is `buyer.address.city`. */
const underFieldNames = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name.replace(/^address\./, "buyer.address."), text]),
  );

/** The type of the last attempt if it can be paid now, else the first that can, else the first. */
function firstType(types: PaymentType[], last: string, entry: CardEntry): PaymentType | undefined {
  const open = types.filter((type) => type !== "credit" || !cardObstacle(entry));
  return open.find((type) => type === last) ?? open[0] ?? types[0];
}

function Form({ order, card, onCard, onOrder, onUnanswered }: Props) {
  const types = offeredTypes(order.payment_types);
  const entry = { tokens: order.card_tokens, closedUntil: order.card_closed_until };
  const [type, setType] = useState(() => firstType(types, order.attempt.payment_type, entry));
  const [address, setAddress] = useState(() => draftOf(order.link_code).buyer.address);
  const [failure, setFailure] = useState<unknown>();
  const { isSending, pay } = usePayment();

  const { prices } = order;
  // Only a boleto as the last attempt shows that the order has an address.
  const needsAddress = type === "boleto" && order.attempt.payment_type !== "boleto";
  const paysByCard = type === "credit" && !cardObstacle(entry);
  const errors: FieldErrors = {
    ...(paysByCard && cardErrors(card, prices, today(new Date(serverNow())))),
    ...(needsAddress && addressErrors(address)),
  };
  const { shown, leave, showAllErrors, showGatewayErrors } = useFieldErrors(errors, [type, card, address]);
  const early = paysByCard ? earlyNumberError(card, prices) : undefined;
  const total = type && totalOf(prices, type, chosenInstallments(prices, card));

  const failed = (error: unknown) => {
    if (hasUnanswered(order.id)) return onUnanswered();
    setFailure(error);
    if (!(error instanceof CallFailure)) return;
    showGatewayErrors(underFieldNames(error.fields));
    if (error.cardBrand) onCard(withBrand(card, error.cardBrand));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    if (!showAllErrors() || !type || total === undefined) return;
    const send = (payment: Payment) =>
      tryAgain(order.id, { ...payment, ...(needsAddress && { address: addressOf(address) }) });
    void pay({ type, prices, entry, card }, send, { placed: onOrder, failed });
  };
  return (
    <form noValidate onSubmit={submit} aria-label={words.order.otherWay}>
      <PaymentChoice
        types={types}
        type={type}
        onType={setType}
        prices={prices}
        entry={entry}
        card={card}
        onCard={onCard}
        errors={{ ...(early && { "card.number": early }), ...shown }}
        onLeave={leave}
        seller={order.seller.name}
      />
      {needsAddress && (
        <div className="card">
          <AddressForm address={address} onChange={setAddress} errors={shown} onLeave={leave} />
        </div>
      )}
      {failure !== undefined && <Alert>{failureText(failure)}</Alert>}
      <PayButton
        type={type}
        total={total === undefined ? undefined : money(total)}
        isSending={isSending}
        isDisabled={type === "credit" && !paysByCard}
      />
    </form>
  );
}
