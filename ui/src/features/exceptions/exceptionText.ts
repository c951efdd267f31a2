// The texts of a row of the queue: its type, the details of its reason, the effect of a retry, and its resolution.
import type { ExceptionRow } from "../../api/models";
import { businessDate, instant, type TimeZone } from "../../format/dates";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import { statusStrings } from "../../strings/pt-BR.status";

const words = exceptionsStrings.exceptions;

type Texts = Readonly<Record<string, string>>;

const lookUp = (texts: Texts, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/** "Venda capturada"; a type without a translation shows its code. */
export const typeText = (type: string): string => lookUp(words.types, type) ?? type;

/** "Venda capturada (sale.captured)" */
export function typeAndCode(type: string): string {
  const name = lookUp(words.types, type);
  return name ? words.typeAndCode(name, type) : type;
}

/** The effect of a retry. */
export function retryHint(type: string): string {
  if (type === "refund.refused") return words.retryHints.refund;
  return type.endsWith(".unreadable") ? words.retryHints.work : words.retryHints.notice;
}

/** A closed row shows the reason that staff gave, unchanged. */
export function resolutionText({ status, resolution }: ExceptionRow): string | undefined {
  if (!resolution) return undefined;
  return (status === "resolved" ? lookUp(words.resolutions, resolution) : undefined) ?? resolution;
}

/** The flash message if a retry or an assignment by staff resolves the row. */
export function resolvedText({ resolution }: Pick<ExceptionRow, "resolution">): string {
  return lookUp(words.resolvedAs, resolution ?? "") ?? words.resolved;
}

const AMOUNTS: ReadonlySet<string> = new Set(["recorded", "told", "needed", "available", "amount"]);

/** The details of a reason, each with its label; amounts, dates and codes are formatted. */
export function parameterLines(
  parameters: Readonly<Record<string, unknown>>,
  zone: TimeZone,
): [label: string, value: string][] {
  return Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => [lookUp(words.parameterNames, name) ?? name, valueText(name, value, zone)]);
}

function valueText(name: string, value: unknown, zone: TimeZone): string {
  if (AMOUNTS.has(name) && typeof value === "number") return money(value);
  if (name === "solution" && typeof value === "number") return solutionName(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (name === "status") return lookUp(statusStrings.status, value) ?? value;
  if (name === "due_date") return businessDate(value);
  return name === "at" || name === "occurred_at" ? instant(value, zone) : value;
}
