// The values of the form of rules, and their checks. The gateway has the same.
import type { ReserveRulesForm } from "../../api/models";
import { schemaOf } from "../../components/forms/schemaOf";
import { rateOf } from "../../format/rate";
import { reservesStrings } from "../../strings/pt-BR.reserves";

const words = reservesStrings.form;
const DAYS_MAX = 365;
export const REASON_CHARS_MAX = 500;

export interface RulesValues extends Record<string, unknown> {
  percentage: string;
  days: string;
  maximum: number | undefined;
  /** A date. */
  valid_from: string;
  /** A date, or empty. */
  ends_on: string;
  reason: string;
}

function daysOf(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= DAYS_MAX ? days : undefined;
}

export const rulesSchema = (today: string) =>
  schemaOf<RulesValues>(({ percentage, days, valid_from, ends_on, reason }) => ({
    ...(rateOf(percentage) === undefined && { percentage: words.percentageInvalid }),
    ...(daysOf(days) === undefined && { days: words.daysInvalid }),
    ...(!valid_from && { valid_from: words.validFromRequired }),
    ...(valid_from && valid_from < today && { valid_from: words.validFromPast }),
    ...(ends_on && valid_from && ends_on < valid_from && { ends_on: words.endsOnBefore }),
    ...(!reason.trim() && { reason: words.reasonRequired }),
  }));

export function rulesBody(values: RulesValues): ReserveRulesForm {
  const { percentage, days, maximum, valid_from, ends_on, reason } = values;
  return {
    percentage: rateOf(percentage) ?? "",
    days: daysOf(days) ?? 0,
    ...(maximum && { maximum }),
    valid_from,
    ...(ends_on && { ends_on }),
    reason: reason.trim().replace(/\s+/g, " "),
  };
}
