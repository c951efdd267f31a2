// A day of the receivables calendar as screen readers read it.
import type { ReceivablesDay } from "../../api/models";
import { businessDateInWords } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { stateOf } from "./sums";

const words = receivablesStrings.receivables;

export function dayText(day: ReceivablesDay): string {
  return words.day(
    businessDateInWords(day.due_date),
    money(day.expected),
    words.count(day.count, wholeNumber(day.count)),
    words.dayState[stateOf(day)].toLowerCase(),
  );
}
