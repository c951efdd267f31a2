// The texts of the steps of a withdrawal's execution.
import type { ExecutionStep } from "../../../api/models";
import { ExecutionOutcome, ExecutionStepKind } from "../../../api/words.json";
import { authorText } from "../../../format/author";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.page.execution;

export const stepTitle = ({ kind }: Pick<ExecutionStep, "kind">) => ExecutionStepKind[kind];

const SECOND_MS = 1_000;

/** Seconds with one digit: how long the bank took to answer. */
function secondsText(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / SECOND_MS;
  return words.after(seconds.toLocaleString("pt-BR", { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
}

/** The outcome of a call with its duration: "sem resposta em 10,0 s". */
function outcomeText({ outcome, at, answered_at }: ExecutionStep): string | undefined {
  if (!outcome) return undefined;
  const text = ExecutionOutcome[outcome];
  return answered_at ? `${text} ${secondsText(at, answered_at)}` : text;
}

/** What is said about a step, in parts. The last ones are codes, which only staff have. */
export function stepDetails(step: ExecutionStep): readonly string[] {
  const { kind, author, attempt, reason, key, http_status, fault } = step;
  const isCall = kind === "order" || kind === "look_up";
  const parts = [
    kind === "processing" && key ? words.keyMade : undefined,
    author ? authorText(author) : undefined,
    kind === "order" && attempt ? words.attempt(attempt) : undefined,
    outcomeText(step),
    isCall && step.outcome === "no_answer" ? words.notRepeated : undefined,
    reason ?? undefined,
    http_status ? words.http(http_status) : undefined,
    fault ?? undefined,
  ];
  return parts.filter((part) => part !== undefined);
}

/** The codes of a step: the key when it is made, and the bank's id. */
export function stepCodes({ kind, key, bank_id }: ExecutionStep): readonly string[] {
  const codes = [kind === "processing" ? key : undefined, bank_id];
  return codes.filter((code) => code !== null && code !== undefined);
}

/** The bank's last id of the payment that paid the withdrawal. */
export function bankIdOf(steps: readonly ExecutionStep[] | undefined): string | undefined {
  return steps?.findLast(({ bank_id }) => bank_id)?.bank_id ?? undefined;
}
