// The button that pays. It says what happens next and for how much.
import type { PaymentType } from "./contract";
import { words } from "./words";

interface Props {
  type: PaymentType | undefined;
  /** Undefined until there is a price. */
  total: string | undefined;
  isSending: boolean;
  isDisabled: boolean;
}

function labelOf(type: PaymentType | undefined, total: string | undefined): string {
  if (total === undefined || !type) return words.pay.noAmount;
  return type === "credit" ? words.pay.button(total) : words.pay[type](total);
}

export function PayButton({ type, total, isSending, isDisabled }: Props) {
  return (
    <button type="submit" className="primary pay" disabled={isDisabled} aria-disabled={isSending}>
      {isSending ? words.pay.sending : labelOf(type, total)}
    </button>
  );
}
