// The rates that acquirers should charge: grouped by what they apply to, and the form of a new one.
import type { AcquirerRate, NewAcquirerRate } from "../../api/models";
import { schemaOf } from "../../components/forms/schemaOf";
import { money } from "../../format/money";
import { installmentsText, paymentTypeName, providerName } from "../../format/payment";
import { rateOf, rateText, typedRate } from "../../format/rate";
import { settlementsStrings } from "../../strings/pt-BR.settlements";

const words = settlementsStrings.rates;

export const INSTALLMENTS_MAX = 21;

/** All rates of one acquirer, payment type and number of installments. */
export interface RateGroup {
  key: string;
  /** "Zoop · Crédito, Parcelado 2x ou mais" */
  title: string;
  newest: AcquirerRate;
  inForce: AcquirerRate | undefined;
  /** From a later day on, the nearest first. */
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

/** "2,50% + R$ 0,10" */
export function expectedText({ percent, flat }: Pick<AcquirerRate, "percent" | "flat">): string {
  if (percent === null) return words.nothing;
  const rate = rateText(percent.replace(/0{1,2}$/, ""));
  return flat ? `${rate} + ${money(flat)}` : rate;
}

/** `rates`: by group, the latest day first, and the last that was set first. Of one day only the last counts. */
export function groupRates(rates: readonly AcquirerRate[], today: string): RateGroup[] {
  const keys = [...new Set(rates.map(keyOf))];
  return keys.flatMap((key) => {
    const all = rates.filter((rate) => keyOf(rate) === key);
    const counted = all.filter((rate, at) => rate.valid_from !== all[at - 1]?.valid_from);
    const [newest] = counted;
    if (!newest) return [];
    const inForce = counted.find(({ valid_from }) => valid_from <= today);
    const scheduled = counted.filter(({ valid_from }) => valid_from > today).reverse();
    return [{ key, title: rateTitle(newest), newest, inForce, scheduled }];
  });
}

export interface RateValues {
  provider: string | null;
  payment_type: string | null;
  installments_from: string;
  valid_from: string;
  expects: "rate" | "nothing";
  percent: string;
  flat: number | undefined;
}

export function rateValues(of: AcquirerRate | undefined): RateValues {
  return {
    provider: of ? String(of.provider) : null,
    payment_type: of?.payment_type ?? null,
    installments_from: String(of?.installments_from ?? 1),
    valid_from: "",
    expects: of && of.percent === null ? "nothing" : "rate",
    percent: typedRate(of?.percent?.replace(/0{1,2}$/, "")),
    flat: of?.flat ?? 0,
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
