// The rules of a reserve in words, and which of its versions count on a day.
import type { ReserveRules, ReserveVersion, ReserveVersions } from "../../api/models";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { typedRate } from "../../format/rate";
import { reservesStrings as words } from "../../strings/pt-BR.reserves";

/** "10%": without decimals that are zero. */
export const shareText = (percentage: string) =>
  `${typedRate(percentage.includes(".") ? percentage.replace(/\.?0+$/, "") : percentage)}%`;

const isNothing = (percentage: string) => Number(percentage) === 0;

const maximumText = ({ maximum }: Pick<ReserveRules, "maximum">) =>
  maximum === null ? undefined : money(maximum);

/** The rules as sentences. */
export function rulesText(rules: ReserveRules): string {
  const text = isNothing(rules.percentage)
    ? words.noShare
    : words.rules(shareText(rules.percentage), rules.days, maximumText(rules));
  return rules.ends_on ? `${text} ${words.until(businessDate(rules.ends_on))}` : text;
}

/** The rules in a line of a list: "10% por 30 dias, até R$ 1.000,00". */
export function termsText(rules: ReserveRules): string {
  if (isNothing(rules.percentage)) return words.staff.zero;
  return words.staff.terms(shareText(rules.percentage), rules.days, maximumText(rules));
}

/** "de 01/12/2026 a 31/12/2026" */
export const periodText = ({ valid_from, ends_on }: ReserveVersion) =>
  words.staff.period(businessDate(valid_from), ends_on ? businessDate(ends_on) : undefined);

export type VersionState = "inForce" | "scheduled" | "replaced" | "ended";

/**
 * The states of versions that are listed from the latest on. On a day the latest version that has begun counts, as in
 * the gateway's `ReserveHistory`. A version replaces earlier ones that begin on its first day or later.
 */
export function versionStates(versions: readonly ReserveVersion[], today: string): VersionState[] {
  const begun = versions.find(({ valid_from }) => valid_from <= today);
  return versions.map((version, index) => {
    if (version === begun) return version.ends_on && version.ends_on < today ? "ended" : "inForce";
    const isReplaced = versions.slice(0, index).some(({ valid_from }) => valid_from <= version.valid_from);
    return version.valid_from > today && !isReplaced ? "scheduled" : "replaced";
  });
}

const inState = (versions: readonly ReserveVersion[], today: string, state: VersionState) => {
  const states = versionStates(versions, today);
  return versions.filter((_, index) => states[index] === state);
};

/** The version that counts today. A company with rules of its own has those, also if they hold nothing. */
export function inForce({ own, of_plan }: ReserveVersions, today: string) {
  const [ofCompany] = inState(own, today, "inForce");
  if (ofCompany) return { version: ofCompany, isOwn: true };
  const [ofPlan] = inState(of_plan, today, "inForce");
  return ofPlan && { version: ofPlan, isOwn: false };
}

/** The versions that take effect later, the next one first. */
export function scheduled({ own, of_plan }: ReserveVersions, today: string) {
  const later = (versions: readonly ReserveVersion[], isOwn: boolean) =>
    inState(versions, today, "scheduled").map((version) => ({ version, isOwn }));
  return [...later(own, true), ...later(of_plan, false)].sort((one, other) =>
    one.version.valid_from.localeCompare(other.version.valid_from),
  );
}

/** Whether a version holds something of settlements. */
export const holds = ({ percentage }: Pick<ReserveRules, "percentage">) => !isNothing(percentage);
