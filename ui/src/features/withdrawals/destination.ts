// The destination of a withdrawal as text.
import type { DestinationDetails, Transfer } from "../../api/models";
import { accountTypeText } from "../../format/business";
import { taxId } from "../../format/documents";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { WITHDRAWAL } from "./transferCodes";

const words = withdrawalsStrings.destination;

const withDigit = (number: string, digit: string | null | undefined) =>
  digit ? `${number}-${digit}` : number;

export function destinationDetailsText(details: DestinationDetails): string {
  if (details.type === "pix") return words.pix(taxId(details.key));
  return `${details.bank_name} · ${accountText(details)}`;
}

function accountText(details: Extract<DestinationDetails, { type: "bank_account" }>): string {
  return words.account(
    withDigit(details.routing_number, details.routing_digit),
    withDigit(details.account_number, details.account_digit),
  );
}

/** `transferText` in lines. A known bank account has two: the bank, then the account. Everything else has one. */
export function destinationLines(transfer: Transfer): string[] {
  const { kind, destination_details: details } = transfer;
  if (kind === WITHDRAWAL && details?.type === "bank_account")
    return [details.bank_name, accountText(details)];
  return [transferText(transfer)];
}

/** In full, for the choice of a destination. */
export function destinationChoiceText(details: DestinationDetails): string {
  const text = destinationDetailsText(details);
  return details.type === "pix" ? text : `${accountTypeText(details.account_type)} · ${text}`;
}

export function destinationText({
  destination,
  destination_details,
}: Pick<Transfer, "destination" | "destination_details">): string {
  if (destination_details) return destinationDetailsText(destination_details);
  return destination === null || destination === undefined ? words.none : words[destination];
}

/** The text of a transfer in a list: the destination of a withdrawal, or the kind of any other. */
export function transferText(transfer: Transfer): string {
  if (transfer.kind === WITHDRAWAL) return destinationText(transfer);
  return transfer.direction
    ? withdrawalsStrings.adjustment[transfer.direction]
    : withdrawalsStrings.transferKind[transfer.kind];
}
