// Texts about a terminal that lists, cards and modals share.
import type { TerminalBilling } from "../../api/models";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { terminalStrings } from "../../strings/pt-BR.terminals";

const none = strings.list.none;

export function billingTypeText({ billing_type }: TerminalBilling): string {
  return billing_type === null ? none : terminalStrings.billingTypes[billing_type];
}

export function acquisitionText({ acquisition }: TerminalBilling): string {
  return acquisition === null ? none : terminalStrings.acquisitions[acquisition];
}

export function monthlyPriceText({ monthly_price }: TerminalBilling): string {
  return monthly_price === null ? none : money(monthly_price);
}

/** "Aluguel, R$ 49,90 por mês", or the billing type alone. */
export function billingText(billing: TerminalBilling): string {
  const kind = billingTypeText(billing);
  return billing.monthly_price === null
    ? kind
    : `${kind}, ${terminalStrings.history.perMonth(money(billing.monthly_price))}`;
}

/** A machine's name, else its serial number. */
export function machineName({ name, serial_number }: { name: string | null; serial_number: string }): string {
  return name ?? serial_number;
}
