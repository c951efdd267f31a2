// The texts of an explanation: the rule of each fee, its calculation and rounding, and why a date moved.
import type { Explanation, ExplanationInstallment, ExplanationLine } from "../../../api/models";
import { businessDate } from "../../../format/dates";
import { exactMoney, roundingOf } from "../../../format/exact";
import { money } from "../../../format/money";
import { brandName } from "../../../format/payment";
import { rateText } from "../../../format/rate";
import { explanationStrings } from "../../../strings/pt-BR.explanation";

const words = explanationStrings.explanation;

/** The scope of a fee: "Visa, 3x" for a brand's entry, "demais bandeiras, crédito à vista" for a band. */
function scopeText(line: ExplanationLine): string {
  if (line.band && line.group) return `${words.groups[line.group]}, ${words.bands[line.band]}`;
  const brand = line.listed_as ? brandName(line.listed_as) : words.unlistedBrand;
  return `${brand}, ${words.installments(line.installments ?? 1)}`;
}

export function ruleText(line: ExplanationLine): string {
  const { rules } = words;
  switch (line.rule) {
    case "effective":
    case "mdr":
      return rules[line.rule](rateText(line.rate), scopeText(line));
    case "advance":
      return rules.advance(rateText(line.rate), line.settlement_days ?? 0);
    case "pix_percent":
    case "percentage_rate":
      return rules[line.rule](rateText(line.rate));
    case "boleto":
    case "pix_fixed":
    case "flat_rate":
      return rules[line.rule];
  }
}

/** Such as "3,19% de R$ 1.234,56 = R$ 39,382464". */
export function calculationText(line: ExplanationLine): string {
  switch (line.rule) {
    case "advance":
      return words.advanceOf(money(line.base));
    case "effective":
    case "mdr":
    case "pix_percent":
    case "percentage_rate":
      return words.percentOf(rateText(line.rate), money(line.base), exactMoney(line.unrounded));
    case "boleto":
    case "pix_fixed":
    case "flat_rate":
      return words.fixed(exactMoney(line.unrounded));
  }
}

/** The calculation of a fee, then its rounding. A sum of rounded costs is not rounded again. */
export function chargeText(line: ExplanationLine): string {
  const calculation = calculationText(line);
  const isSum = line.rule === "advance" && roundingOf(line.unrounded, line.charged).kind === "exact";
  return isSum ? calculation : `${calculation}, ${roundingText(line.unrounded, line.charged)}`;
}

export function roundingText(unrounded: string, charged: number): string {
  const rounding = roundingOf(unrounded, charged);
  if (rounding.kind !== "rounded") return words[rounding.kind];
  const { difference } = rounding;
  return words.rounded(`${difference.startsWith("-") ? "" : "+"}${exactMoney(difference)}`);
}

type ClosedDay = ExplanationInstallment["closed_days"][number];

/** "25/12/2026 (feriado: Natal)", "26/12/2026 (sábado)" */
export function closedDayText({ date, closure, name }: ClosedDay): string {
  const reason = {
    weekend: () => businessDate(date, "dddd"),
    holiday: () => words.holiday(name ?? ""),
    added: () => words.added(name),
  }[closure]();
  return words.closedDay(businessDate(date), reason);
}

export type MovedDate = Pick<ExplanationInstallment, "counted_to" | "due_date" | "closed_days"> & {
  /** The numbers of the first and the last installment of the group. */
  first: number;
  last: number;
};

/** The dates moved by closed days. Consecutive installments with the same move are grouped. */
export function movedDates(installments: Explanation["installments"]): MovedDate[] {
  const moved: MovedDate[] = [];
  for (const { number, counted_to, due_date, closed_days } of installments) {
    if (closed_days.length === 0) continue;
    const before = moved.at(-1);
    if (before?.last === number - 1 && before.counted_to === counted_to) before.last = number;
    else moved.push({ first: number, last: number, counted_to, due_date, closed_days });
  }
  return moved;
}

export function movedText({ first, last, counted_to, due_date }: MovedDate): string {
  const [from, to] = [businessDate(counted_to), businessDate(due_date)];
  return first === last ? words.movedTo(first, from, to) : words.allMovedTo(first, last, from, to);
}

/** How the fees, or the net, of a sale are divided among its installments. */
export function splitText({
  net_is_split,
  installments,
}: Pick<Explanation, "net_is_split" | "installments">): string {
  if (net_is_split) return words.netIsSplit;
  return installments.some(({ advance }) => advance !== null) ? words.splitExceptAdvance : words.split;
}
