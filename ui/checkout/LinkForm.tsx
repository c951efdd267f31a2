// The form of a link: amount, payment type, card, buyer, and the button.
import { type FormEvent, useEffect, useState } from "react";
import { money } from "../src/format/money";
import { amountError, boundsText } from "./amount";
import { BuyerForm } from "./BuyerForm";
import { type BuyerFields, buyerErrors, buyerOf, type FieldErrors, fieldErrors } from "./buyer";
import { CallFailure } from "./calls";
import { cardErrors, chosenInstallments, earlyNumberError, withBrand } from "./card";
import { hasUnanswered, placeOrder } from "./commands";
import type { Link, PaymentType } from "./contract";
import { type Draft, draftOf, keepDraft } from "./draft";
import { idOf, MoneyField } from "./Field";
import type { PageProps } from "./LinkPage";
import { Alert } from "./Message";
import { PayButton } from "./PayButton";
import { cardObstacle, PaymentChoice } from "./PaymentChoice";
import { offeredTypes, totalOf } from "./prices";
import { serverNow, today } from "./time";
import { useFieldErrors } from "./useFieldErrors";
import { failureText, usePayment } from "./usePayment";
import { usePrices } from "./usePrices";
import { words } from "./words";

/** Statuses that may mean that the link or its prices have changed, or that its card form is closed. */
const CHANGED = [409, 429];

interface Props extends PageProps {
  link: Link;
  onReload: () => Promise<void>;
  onUnanswered: () => void;
  refusal: unknown;
}

/** The buyer's choice, else the first type that can be paid now, else the first type. */
function typeOf(draft: Draft, link: Link): PaymentType | undefined {
  const types = offeredTypes(link.payment_types);
  const obstacle = cardObstacle({ tokens: link.card_tokens, closedUntil: link.card_closed_until });
  const open = types.find((type) => type !== "credit" || !obstacle);
  return types.find((type) => type === draft.type) ?? open ?? types[0];
}

export function LinkForm({ link, card, onCard, onOrder, onReload, onUnanswered, refusal }: Props) {
  const [draft, setDraft] = useState(() => draftOf(link.code));
  const [failure, setFailure] = useState(refusal);
  const { isSending, pay } = usePayment();
  const { prices, failure: priceFailure } = usePrices(link, draft.amount);
  const change = (fields: Partial<Draft>) => setDraft({ ...draft, ...fields });
  useEffect(() => keepDraft(link.code, draft), [link.code, draft]);

  const type = typeOf(draft, link);
  const entry = { tokens: link.card_tokens, closedUntil: link.card_closed_until };
  const paysByCard = type === "credit" && !cardObstacle(entry);
  const isOpen = link.amount === null;
  const needsAddress = type === "boleto";
  const errors: FieldErrors = {
    ...fieldErrors({ amount: isOpen ? amountError(draft.amount, link) : undefined }),
    ...(paysByCard && cardErrors(card, prices, today(new Date(serverNow())))),
    ...buyerErrors(draft.buyer, needsAddress),
  };
  const { shown, leave, showAllErrors, showGatewayErrors } = useFieldErrors(errors, [draft, card]);
  const early = fieldErrors({ "card.number": paysByCard ? earlyNumberError(card, prices) : undefined });
  const total = type && totalOf(prices, type, chosenInstallments(prices, card));

  const failed = (error: unknown) => {
    if (hasUnanswered(link.code)) return onUnanswered();
    setFailure(error);
    if (!(error instanceof CallFailure)) return;
    showGatewayErrors(error.fields);
    if (error.cardBrand) onCard(withBrand(card, error.cardBrand));
    if (CHANGED.includes(error.status)) void onReload();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    if (!showAllErrors() || !type || total === undefined) return;
    const buyer = buyerOf(draft.buyer, needsAddress);
    const amount = isOpen && draft.amount !== undefined ? { amount: draft.amount } : {};
    void pay(
      { type, prices, entry, card },
      (payment) => placeOrder(link.code, { ...payment, ...amount, buyer }),
      { placed: onOrder, failed },
    );
  };

  return (
    <form noValidate onSubmit={submit} aria-label={link.description}>
      {isOpen && (
        <fieldset className="card">
          <MoneyField
            field="amount"
            label={words.amount.label}
            value={draft.amount}
            error={shown.amount ?? priceFailure}
            hint={boundsText(link)}
            onChange={(amount) => change({ amount })}
            onBlur={() => draft.amount !== undefined && leave("amount")}
          />
        </fieldset>
      )}
      <PaymentChoice
        types={offeredTypes(link.payment_types)}
        type={type}
        onType={(chosen) => change({ type: chosen })}
        prices={prices}
        entry={entry}
        card={card}
        onCard={onCard}
        errors={{ ...early, ...shown }}
        onLeave={leave}
        seller={link.seller.name}
      />
      <BuyerForm
        buyer={draft.buyer}
        onChange={(buyer: BuyerFields) => change({ buyer })}
        errors={shown}
        onLeave={leave}
        needsAddress={needsAddress}
      />
      {failure !== undefined && <Alert>{alertText(failure, shown)}</Alert>}
      <PayButton
        type={type}
        total={total === undefined ? undefined : money(total)}
        isSending={isSending}
        isDisabled={type === "credit" && !paysByCard}
      />
    </form>
  );
}

/** The errors of fields that the page does not have; else how many fields to check, or the failure's message. */
function alertText(failure: unknown, shown: FieldErrors): string {
  const fields = failure instanceof CallFailure ? Object.entries(failure.fields) : [];
  const unseen = fields.filter(([field]) => !document.getElementById(idOf(field)));
  const count = Object.keys(shown).length;
  if (unseen.length > 0) return unseen.map(([, text]) => text).join(" ");
  return fields.length > 0 && count > 0 ? words.pay.checkFields(count) : failureText(failure);
}
