// The rates that acquirers should deduct: the groups in which they are listed, and the form of a new one.
import type { AcquirerRate, NewAcquirerRate } from "../../api/models";
import { schemaOf } from "../../components/forms/schemaOf";
import { money } from "../../format/money";
import { installmentsText, paymentTypeName, providerName } from "../../format/payment";
import { rateOf, rateText, typedRate } from "../../format/rate";
import { settlementsStrings } from "../../strings/pt-BR.settlements";

const words = settlementsStrings.rates;

/** The most installments of a credit sale. */
export const INSTALLMENTS_MAX = 21;

/** The rates of one acquirer, payment type and smallest number of installments. */
export interface RateGroup {
  key: string;
  /** "Zoop · Crédito, Parcelado 2x ou mais" */
  title: string;
  /** The rate with the latest first day, which may be in the future. */
  latest: AcquirerRate;
  inForce: AcquirerRate | undefined;
  /** The rates whose first day is in the future, the nearest first. */
  scheduled: AcquirerRate[];
}

const keyOf = ({ provider, payment_type, installments_from }: AcquirerRate) =>
  [provider, payment_type, installments_from].join("/");

export function rateTitle({ provider, payment_type, installments_from }: AcquirerRate): string {
  const type = paymentTypeName(payment_type);
  const from =
    installments_from > 1 ? words.fromInstallments(type, installmentsText(installments_from)) : type;
  return `${providerName(provider)} · ${from}`;
}

/** A rate has four decimals: "2.5000". Without trailing zeros, but with two decimals at least: "2.50". */
const shortened = (percent: string) => percent.replace(/0{1,2}$/, "");

/** "2,50% + R$ 0,10" */
export function expectedText({ percent, flat }: Pick<AcquirerRate, "percent" | "flat">): string {
  if (percent === null) return words.nothing;
  const rate = rateText(shortened(percent));
  return flat ? `${rate} + ${money(flat)}` : rate;
}

/**
 * The gateway orders `rates` by group, then by first day, then by the time they were set, both latest first. Of several
 * rates with one first day, the one set last replaces the others.
 */
export function groupRates(rates: readonly AcquirerRate[], today: string): RateGroup[] {
  const keys = [...new Set(rates.map(keyOf))];
  return keys.flatMap((key) => {
    const all = rates.filter((rate) => keyOf(rate) === key);
    const counted = all.filter((rate, at) => rate.valid_from !== all[at - 1]?.valid_from);
    const [latest] = counted;
    if (!latest) return [];
    const inForce = counted.find(({ valid_from }) => valid_from <= today);
    const scheduled = counted.filter(({ valid_from }) => valid_from > today).reverse();
    return [{ key, title: rateTitle(latest), latest, inForce, scheduled }];
  });
}

export interface RateValues {
  /** The acquirer's number. */
  provider: string | null;
  payment_type: string | null;
  installments_from: string;
  /** A business date. */
  valid_from: string;
  /** "nothing": the acquirer's cost is not compared. */
  expects: "rate" | "nothing";
  percent: string;
  /** In cents. */
  flat: number | undefined;
}

/** The form begins with the values of `template`, except for the first day, which the user chooses. */
export function rateValues(template: AcquirerRate | undefined): RateValues {
  return {
    provider: template ? String(template.provider) : null,
    payment_type: template?.payment_type ?? null,
    installments_from: String(template?.installments_from ?? 1),
    valid_from: "",
    expects: template && template.percent === null ? "nothing" : "rate",
    percent: typedRate(template?.percent && shortened(template.percent)),
    flat: template?.flat ?? 0,
  };
}

export const takesInstallments = ({ payment_type }: Pick<RateValues, "payment_type">) =>
  payment_type === "credit";

export function rateErrors(values: RateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!values.provider) errors.provider = settlementsStrings.imports.providerRequired;
  if (!values.payment_type) errors.payment_type = words.typeRequired;
  if (!values.valid_from) errors.valid_from = words.dayRequired;
  if (values.expects === "rate" && rateOf(values.percent) === undefined)
    errors.percent = words.percentInvalid;
  return errors;
}

export const rateSchema = schemaOf(rateErrors);

export function rateBody(values: RateValues): NewAcquirerRate {
  const isRate = values.expects === "rate";
  return {
    provider: Number(values.provider),
    payment_type: values.payment_type ?? "",
    installments_from: takesInstallments(values) ? Number(values.installments_from) : 1,
    valid_from: values.valid_from,
    percent: isRate ? (rateOf(values.percent) ?? "") : null,
    flat: isRate ? (values.flat ?? 0) : null,
  };
}
