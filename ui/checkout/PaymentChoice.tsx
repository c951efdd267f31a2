// The choice of the payment type, and the fields or the hint of the chosen type.
import type { FieldErrors } from "./buyer";
import { CardForm } from "./CardForm";
import type { CardFields } from "./card";
import type { CardTokens, PaymentType, Prices } from "./contract";
import { installmentsMax } from "./prices";
import { timeOfDay } from "./time";
import { words } from "./words";

/** The address to which card data go, and whether cards are accepted now. */
export interface CardEntry {
  tokens: CardTokens | null;
  closedUntil: string | null;
}

interface Props {
  types: readonly PaymentType[];
  type: PaymentType | undefined;
  onType: (type: PaymentType) => void;
  prices: Prices | null;
  entry: CardEntry;
  card: CardFields;
  onCard: (card: CardFields) => void;
  errors: FieldErrors;
  onLeave: (field: string) => void;
  seller: string;
}

const hintOf = (type: PaymentType, prices: Prices | null) =>
  type === "credit" ? words.typeHints.upTo(installmentsMax(prices)) : words.typeHints[type];

/** Why a card cannot be typed now; undefined if it can. */
export function cardObstacle({ tokens, closedUntil }: CardEntry): string | undefined {
  if (closedUntil) return words.card.closed(timeOfDay(closedUntil));
  return tokens ? undefined : words.card.unavailable;
}

export function PaymentChoice({ types, type, onType, prices, entry, ...rest }: Props) {
  return (
    <>
      <fieldset className="types">
        <legend>{words.choose}</legend>
        {types.map((each) => (
          <label key={each} className="type">
            <input
              type="radio"
              name="payment-type"
              value={each}
              checked={each === type}
              onChange={() => onType(each)}
            />
            <span>
              <strong>{words.types[each]}</strong> <small>{hintOf(each, prices)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {type === "credit" && <Card prices={prices} entry={entry} {...rest} />}
      {type === "pix" && <p className="note">{words.pixHint}</p>}
      {type === "boleto" && <p className="note">{words.boletoHint}</p>}
    </>
  );
}

type CardProps = Omit<Props, "types" | "type" | "onType">;

function Card({ entry, card, onCard, ...rest }: CardProps) {
  const obstacle = cardObstacle(entry);
  if (obstacle) {
    return (
      <p className="note warning" role="status">
        {obstacle}
      </p>
    );
  }
  return <CardForm card={card} onChange={onCard} {...rest} />;
}
