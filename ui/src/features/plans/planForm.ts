// The form of a sales plan: its values, its validation with the messages of the specification, and the body that is
// sent. Rates are typed with a comma; the gateway takes them with a point.
import type { PlanDetail, PlanFees } from "../../api/models";
import { schemaOf } from "../../components/forms/schemaOf";
import { MAIN_BRANDS, OTHER_BRANDS } from "../../format/brands";
import { BUSINESS_ZONE, instantOfTyped } from "../../format/dates";
import { rateOf, typedRate } from "../../format/rate";
import { CARD_MACHINE } from "../../format/solutions";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.form;

export const DESCRIPTION_CHARS_MAX = 120;

/** The numbers of installments for which a plan under Taxa Efetiva has a credit fee. */
export const INSTALLMENTS = Array.from({ length: 21 }, (_, index) => index + 1);
/** The groups of brands whose fees the form sets together: Visa with Mastercard, and all others. */
export const GROUPS = ["visamaster", "others"] as const;
export type Group = (typeof GROUPS)[number];
/** The numbers of credit installments that share a fee under Taxa MDR. */
export const BANDS = ["credit_1", "credit_2to6", "credit_7to12", "credit_13to21"] as const;
type MdrFee = "advance" | "debit" | (typeof BANDS)[number];
const MDR_FEES: readonly MdrFee[] = ["advance", "debit", ...BANDS];

export const BRANDS: Record<Group, readonly string[]> = { visamaster: MAIN_BRANDS, others: OTHER_BRANDS };
/** The form's value of the solution of card machines, which take no boleto. */
export const CARD_MACHINE_VALUE = String(CARD_MACHINE);

export interface GroupValues {
  debit: string;
  /** The fees of 1 to 21 installments under Taxa Efetiva. */
  credit: string[];
  /** The fees under Taxa MDR. */
  mdr: Record<MdrFee, string>;
}

export interface PlanValues {
  description: string;
  solution_id: string;
  /** The fee type: "true" is Taxa MDR, "false" is Taxa Efetiva. */
  mdr: "true" | "false";
  percentage_rate: string;
  flat_rate: number | undefined;
  settlement_days: string;
  active: boolean;
  default: boolean;
  /** Whether sellers may compare the fees of last month's sales under it with those under their own plan. */
  offered: boolean;
  visamaster: GroupValues;
  others: GroupValues;
  boleto_fee: number | undefined;
  pix: "percent" | "fixed";
  pix_percent: string;
  pix_amount: number | undefined;
  starts: "now" | "later";
  /** A business date. */
  valid_from: string;
}

const NO_FEES: GroupValues = {
  debit: "",
  credit: INSTALLMENTS.map(() => ""),
  mdr: { advance: "", debit: "", credit_1: "", credit_2to6: "", credit_7to12: "", credit_13to21: "" },
};

const feeOf = (fees: PlanFees["fees"], brand: string | undefined, type: string, count: number) =>
  fees.find(
    (fee) => fee.card_brand === brand && fee.payment_type === type && fee.number_installments === count,
  )?.percent_amount;

function groupValues(fees: PlanFees, group: Group): GroupValues {
  const [brand] = BRANDS[group];
  const mdr = Object.fromEntries(
    MDR_FEES.map((fee) => [fee, typedRate(fees[`mdr_${fee}_fee_${group}`])]),
  ) as GroupValues["mdr"];
  return {
    debit: typedRate(feeOf(fees.fees, brand, "debit", 1)),
    credit: INSTALLMENTS.map((count) => typedRate(feeOf(fees.fees, brand, "credit", count))),
    mdr,
  };
}

/** Whether brands of the group have different fees, which the form cannot show. */
export function brandsDiffer({ fees }: PlanFees, group: Group): boolean {
  const [first, ...rest] = BRANDS[group].map((brand) =>
    fees
      .filter(({ card_brand }) => card_brand === brand)
      .map((fee) => `${fee.payment_type} ${fee.number_installments} ${fee.percent_amount}`)
      .join(),
  );
  return rest.some((other) => other !== first);
}

/** The terms that an edit starts from: the scheduled ones, else those in force. */
export const editedFees = (plan: PlanDetail | undefined) => plan?.scheduled ?? plan?.current ?? undefined;

export function planValues(plan: PlanDetail | undefined, dateOf: (instant: string) => string): PlanValues {
  const fees = editedFees(plan);
  const fixed = fees?.pix_fee_fixed ?? false;
  return {
    description: plan?.description ?? "",
    solution_id: plan ? String(plan.solution_id) : "",
    mdr: fees?.mdr ? "true" : "false",
    percentage_rate: typedRate(fees?.percentage_rate),
    flat_rate: fees?.flat_rate,
    settlement_days: fees ? String(fees.settlement_days) : "",
    active: plan?.active ?? true,
    default: plan?.default ?? false,
    offered: plan?.offered ?? false,
    visamaster: fees ? groupValues(fees, "visamaster") : NO_FEES,
    others: fees ? groupValues(fees, "others") : NO_FEES,
    boleto_fee: fees?.boleto_fee,
    pix: fixed ? "fixed" : "percent",
    pix_percent: fixed ? "" : typedRate(fees?.pix_fee as string | undefined),
    pix_amount: fixed ? (fees?.pix_fee as number) : undefined,
    starts: plan?.scheduled_from ? "later" : "now",
    valid_from: plan?.scheduled_from ? dateOf(plan.scheduled_from) : "",
  };
}

/** The instant at which the business date begins; undefined if the text is not a date. */
export function startOf(date: string): string | undefined {
  const [year = "", month = "", day = ""] = date.split("-");
  return instantOfTyped(`${day}${month}${year}0000`, BUSINESS_ZONE);
}

/** The messages of the invalid fields, by the field's path in the form. */
export function planErrors(values: PlanValues, today: string): Record<string, string> {
  const errors: Record<string, string> = {};
  const require = (field: string, given: unknown) => {
    if (given === undefined || (typeof given === "string" && given.trim() === ""))
      errors[field] = words.required;
  };
  const rate = (field: string, text: string, nonzero: boolean, missing: string = words.required) => {
    if (text.trim() === "") errors[field] = missing;
    else if (rateOf(text) === undefined || (nonzero && Number(rateOf(text)) === 0))
      errors[field] = words.invalid;
  };
  require("description", values.description);
  require("solution_id", values.solution_id);
  rate("percentage_rate", values.percentage_rate, false);
  require("flat_rate", values.flat_rate);
  if (values.settlement_days.trim() === "") errors.settlement_days = words.required;
  else if (!/^\d{1,2}$/.test(values.settlement_days.trim())) errors.settlement_days = words.daysRange;
  for (const group of GROUPS) {
    if (values.mdr === "true") {
      for (const fee of MDR_FEES) rate(`${group}.mdr.${fee}`, values[group].mdr[fee], fee !== "advance");
    } else {
      rate(`${group}.debit`, values[group].debit, true, words.invalid);
      values[group].credit.forEach((fee, index) => {
        rate(`${group}.credit.${index}`, fee, true, words.invalid);
      });
    }
  }
  if (values.solution_id !== CARD_MACHINE_VALUE) require("boleto_fee", values.boleto_fee);
  if (values.pix === "fixed") require("pix_amount", values.pix_amount);
  else rate("pix_percent", values.pix_percent, false);
  if (values.starts === "later") {
    require("valid_from", values.valid_from);
    if (!errors.valid_from && values.valid_from <= today) errors.valid_from = words.future;
  }
  return errors;
}

export const planSchema = (today: string) => schemaOf((values: PlanValues) => planErrors(values, today));

/** The terms under the gateway's names. A missing boleto fee is zero, because card machines have none. */
export function termsBody(values: PlanValues) {
  const mdr = values.mdr === "true";
  const fees = GROUPS.flatMap((group) =>
    BRANDS[group].flatMap((card_brand) => {
      const row = (payment_type: string, number_installments: number, text: string) => ({
        card_brand,
        payment_type,
        number_installments,
        percent_amount: rateOf(text) ?? "",
      });
      const { debit, credit } = values[group];
      return [row("debit", 1, debit), ...credit.map((fee, index) => row("credit", index + 1, fee))];
    }),
  );
  const mdrFees = Object.fromEntries(
    GROUPS.flatMap((group) =>
      MDR_FEES.map((fee) => [`mdr_${fee}_fee_${group}`, rateOf(values[group].mdr[fee]) ?? ""]),
    ),
  );
  const days = values.settlement_days.trim();
  const fixed = values.pix === "fixed";
  const pix_fee = fixed ? values.pix_amount : rateOf(values.pix_percent);
  return {
    ...(values.solution_id !== "" && { solution_id: Number(values.solution_id) }),
    mdr,
    percentage_rate: rateOf(values.percentage_rate) ?? "",
    ...(values.flat_rate !== undefined && { flat_rate: values.flat_rate }),
    ...(/^\d{1,2}$/.test(days) && { settlement_days: Number(days) }),
    boleto_fee: values.boleto_fee ?? 0,
    pix_fee_fixed: fixed,
    ...(pix_fee !== undefined && { pix_fee }),
    ...(mdr ? mdrFees : { fees }),
  };
}

/** The whole plan. `revision` is that of the saved plan on which the values are based. */
export function planBody(values: PlanValues, revision?: number) {
  const valid_from = values.starts === "later" ? startOf(values.valid_from) : undefined;
  return {
    ...termsBody(values),
    description: values.description.trim(),
    active: values.active,
    default: values.default && values.active,
    offered: values.offered && values.active,
    ...(valid_from && { valid_from }),
    ...(revision !== undefined && { revision }),
  };
}

/**
 * Whether the terms of a plan that `exists` change, or its scheduled terms get another start, or the plan becomes the
 * default.
 */
export function changesPrices(values: PlanValues, opened: PlanValues, exists: boolean): boolean {
  const becomesDefault = values.default && values.active && !opened.default;
  const terms = (of: PlanValues) => JSON.stringify(termsBody(of));
  const isScheduled = opened.starts === "later";
  const startChanges =
    isScheduled && (values.starts !== opened.starts || values.valid_from !== opened.valid_from);
  return becomesDefault || (exists && (startChanges || terms(values) !== terms(opened)));
}

/** The path in the form of a field that the gateway refused: `fees.elo.12` is `others.credit.11`. */
export function formField(field: string): string {
  const [, brand = "", kind = ""] = /^fees\.(\w+)\.(\w+)$/.exec(field) ?? [];
  if (brand) {
    const group = BRANDS.visamaster.includes(brand) ? "visamaster" : "others";
    return kind === "debit" ? `${group}.debit` : `${group}.credit.${Number(kind) - 1}`;
  }
  const [, fee = "", group = ""] = /^mdr_(\w+)_fee_(visamaster|others)$/.exec(field) ?? [];
  if (fee) return `${group}.mdr.${fee}`;
  return field;
}

/** The rates of a column or a row that was copied from a spreadsheet; undefined for a single value. */
export function pastedRates(text: string): string[] | undefined {
  const cells = text
    .trim()
    .split(/[\t\r\n]+/)
    .map((cell) => cell.replace(/[%\s]/g, "").replace(".", ","));
  return cells.length > 1 ? cells : undefined;
}
