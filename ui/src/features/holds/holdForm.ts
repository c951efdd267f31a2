// The values of the forms of holds, and their rules. The ledger decides whether the amounts are allowed.
import { schemaOf } from "../../components/forms/schemaOf";
import { holdsStrings } from "../../strings/pt-BR.holds";

const { place, payCourt } = holdsStrings;

export const REASON_CHARS_MAX = 500;

export interface SaidValues extends Record<string, unknown> {
  reason: string;
  /** A date, or empty. */
  until: string;
  /** One document a line. */
  documents: string;
}

export interface PlaceValues extends SaidValues {
  kind: keyof typeof place.kinds;
  amount: number | undefined;
  case_number: string;
  court: string;
}

export const NEW_HOLD: PlaceValues = {
  kind: "analysis",
  amount: undefined,
  reason: "",
  until: "",
  documents: "",
  case_number: "",
  court: "",
};

const reasonErrors = ({ reason }: { reason: string }): Record<string, string> =>
  reason.trim() ? {} : { reason: place.reasonRequired };

export const saidSchema = schemaOf<SaidValues>(reasonErrors);

export const placeSchema = schemaOf<PlaceValues>((values) => ({
  ...(!values.amount && { amount: place.amountRequired }),
  ...reasonErrors(values),
  ...(values.kind === "judicial" && !values.case_number.trim() && { case_number: place.caseRequired }),
  ...(values.kind === "judicial" && !values.court.trim() && { court: place.courtRequired }),
}));

/** The documents that the seller is asked to send. */
export const documentsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split("\n")
      .map((line) => line.trim().replace(/\s+/g, " "))
      .filter(Boolean),
  ),
];

/** What the forms of placing and of changing a hold say about it. */
export function saidOf({ reason, until, documents }: SaidValues) {
  const names = documentsOf(documents);
  return {
    reason: reason.trim(),
    ...(until && { until }),
    ...(names.length > 0 && { documents: names }),
  };
}

export function placeBody(businessId: string, values: PlaceValues) {
  const { kind, amount = 0 } = values;
  return {
    business_id: businessId,
    kind,
    amount,
    ...saidOf(values),
    ...(kind === "judicial" && {
      case_number: values.case_number.trim(),
      court: values.court.trim(),
    }),
  };
}

export interface ReleaseValues extends Record<string, unknown> {
  amount: number | undefined;
  reason: string;
}

/** Zero lifts a court's order of which nothing is held yet. */
export const releaseSchema = (isEmptyOrder: boolean) =>
  schemaOf<ReleaseValues>((values) => ({
    ...(!isEmptyOrder && !values.amount && { amount: place.amountRequired }),
    ...reasonErrors(values),
  }));

export interface PaymentValues extends Record<string, unknown> {
  amount: number | undefined;
  receipt: string;
  password: string;
}

export const paymentSchema = schemaOf<PaymentValues>((values) => ({
  ...(!values.amount && { amount: place.amountRequired }),
  ...(!values.receipt.trim() && { receipt: payCourt.receiptRequired }),
  ...(!values.password && { password: payCourt.passwordRequired }),
}));
