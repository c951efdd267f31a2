// The path of a withdrawal: the states that it went through, with their times and authors, and those to come.
import type { ExecutionStep, Transfer } from "../../../api/models";
import { authorText } from "../../../format/author";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { PENDING, PROCESSING } from "../transferCodes";

const words = withdrawalsStrings.page.path;

export interface PathState {
  title: string;
  /** Undefined: still to come. */
  at: string | undefined;
  who: string | undefined;
  tone: "good" | "bad" | "back" | "next";
}

type Kind = ExecutionStep["kind"];

const TITLES: Partial<Record<Kind, string>> = {
  requested: words.requested,
  approval_given: words.approvalGiven,
  processing: words.approved,
  paid: words.paid,
  failed: words.failed,
  reopened: words.reopened,
  returned: words.returned,
};

const TONES: Partial<Record<Kind, PathState["tone"]>> = {
  refused: "bad",
  failed: "bad",
  returned: "bad",
  reopened: "back",
};

/** The refusal by a user of the company is its cancel. */
const titleOf = ({ kind, author }: ExecutionStep) =>
  kind === "refused" ? (author?.kind === "seller" ? words.canceled : words.refused) : TITLES[kind];

/** Only the first order of a payment is a state: later ones repeat it. */
function statesOf(steps: readonly ExecutionStep[]): PathState[] {
  const ordered = new Set<string | null>();
  return steps.flatMap((step) => {
    if (step.kind === "order" && !ordered.has(step.key)) {
      ordered.add(step.key);
      return [{ title: words.sent, at: step.at, who: words.automatic, tone: "good" as const }];
    }
    const title = titleOf(step);
    if (!title) return [];
    const who = step.author ? authorText(step.author) : undefined;
    return [{ title, at: step.at, who, tone: TONES[step.kind] ?? "good" }];
  });
}

const next = (title: string): PathState => ({ title, at: undefined, who: undefined, tone: "next" });

export function pathOf(status: Transfer["status"], steps: readonly ExecutionStep[]): readonly PathState[] {
  const states = statesOf(steps);
  if (status === PENDING) return [...states, next(words.approved), next(words.paid)];
  if (status === PROCESSING) return [...states, next(words.paid)];
  return states;
}

const SECOND = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 min 46 s", "2 h 5 min", "1 dia 3 h": two units, cut off and not rounded. */
export function durationText(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / SECOND));
  const units = [
    [Math.floor(seconds / DAY), words.days],
    [Math.floor((seconds % DAY) / HOUR), words.hours],
    [Math.floor((seconds % HOUR) / MINUTE), words.minutes],
    [seconds % MINUTE, words.seconds],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2);
  return shown
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, text]) => text(count))
    .join(" ");
}
