// The card's data and the installments.
import { cardDigits, securityCodeLength, showCardNumber } from "../src/format/cards";
import { asciiDigits, type Mask } from "../src/format/mask";
import { money } from "../src/format/money";
import type { FieldErrors } from "./buyer";
import { brandOf, type CardFields, choicesOf, chosenInstallments, expiryDigits, showExpiry } from "./card";
import type { Installments, Prices } from "./contract";
import { type FieldEvent, MaskedField, SelectField, TextField } from "./Field";
import { words } from "./words";

const NUMBER: Mask = { clean: cardDigits, show: showCardNumber };
const EXPIRY: Mask = { clean: expiryDigits, show: showExpiry };
const codeOf = (length: number): Mask => ({
  clean: (text) => asciiDigits(text).slice(0, length),
  show: (digits) => digits,
});

interface Props {
  card: CardFields;
  onChange: (card: CardFields) => void;
  prices: Prices | null;
  errors: FieldErrors;
  onLeave: (field: string) => void;
  seller: string;
}

export function CardForm({ card, onChange, prices, errors, onLeave, seller }: Props) {
  const brand = brandOf(card);
  const codeLength = securityCodeLength(brand);
  const of = (name: string, key: keyof CardFields) => ({
    field: `card.${name}`,
    value: String(card[key]),
    error: errors[`card.${name}`],
    onChange: (text: string) => onChange({ ...card, [key]: text }),
    onBlur: ({ currentTarget }: FieldEvent) => {
      // An empty field is not checked when it is left.
      if (currentTarget.value !== "") onLeave(`card.${name}`);
    },
  });
  return (
    <fieldset className="card">
      <legend>{words.card.title}</legend>
      <MaskedField
        {...of("number", "number")}
        label={words.card.number}
        mask={NUMBER}
        name="cardnumber"
        autoComplete="cc-number"
        mark={
          brand && (
            <img
              className="brand-mark"
              src={`/brands/${brand}.svg`}
              alt={words.card.brands[brand]}
              width={48}
              height={30}
            />
          )
        }
      />
      <div className="pair">
        <MaskedField
          {...of("expiry", "expiry")}
          label={words.card.expiry}
          mask={EXPIRY}
          name="cc-exp"
          autoComplete="cc-exp"
          placeholder={words.card.expiryHint}
        />
        <MaskedField
          {...of("code", "securityCode")}
          label={words.card.code}
          mask={codeOf(codeLength)}
          name="cvc"
          autoComplete="cc-csc"
          hint={words.card.codeHint(codeLength)}
        />
      </div>
      <TextField
        {...of("holder", "holder")}
        label={words.card.holder}
        name="ccname"
        autoComplete="cc-name"
        autoCapitalize="characters"
        maxLength={60}
      />
      <InstallmentsField
        card={card}
        onChange={onChange}
        prices={prices}
        error={errors["card.installments"]}
      />
      <p className="hint">{words.card.privacy(seller)}</p>
    </fieldset>
  );
}

function installmentText({ count, first, each, total }: Installments): string {
  const parts =
    first === each
      ? words.card.installment(count, money(each))
      : words.card.firstInstallment(count, money(first), money(each));
  return count === 1 ? parts : `${parts} (${words.card.total(money(total))})`;
}

interface InstallmentsProps extends Pick<Props, "card" | "onChange" | "prices"> {
  error: string | undefined;
}

function InstallmentsField({ card, onChange, prices, error }: InstallmentsProps) {
  const choices = choicesOf(prices, card);
  return (
    <SelectField
      field="card.installments"
      label={words.card.installments}
      error={error}
      value={chosenInstallments(prices, card)?.count ?? ""}
      disabled={!choices}
      onChange={(count) => onChange({ ...card, installments: Number(count) })}
    >
      {!choices && (
        <option value="">{prices ? words.card.installmentsLater : words.card.installmentsAfterAmount}</option>
      )}
      {choices?.map((choice) => (
        <option key={choice.count} value={choice.count}>
          {installmentText(choice)}
        </option>
      ))}
    </SelectField>
  );
}
