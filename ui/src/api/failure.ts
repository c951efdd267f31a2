// The one error that a call can end in: a refusal by the gateway (RFC 9457) or a lost connection.
// Texts for the person come from the gateway; only its silence has words of ours.
import { strings } from "../strings/pt-BR";
import type { BalanceShort, Problem } from "./models";

/** No answer at all: the status of a request that never arrived. */
export const NO_ANSWER = 0;

const TOO_MANY = 429;
const OURS = 500;

export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The kind of problem, an address whose last part names it. */
  readonly type: string;
  readonly requestId: string | undefined;
  /** By which support finds the error: of our own errors only, not of refusals. */
  readonly code: string | undefined;
  /** Where the balance is too short: by how much, and until when. */
  readonly balance: BalanceShort | undefined;

  /** `retryAfter`: how many seconds to wait, as a 429 says in its header. */
  constructor(status: number, problem: Partial<Problem> | undefined, retryAfter?: string | null) {
    const said =
      problem?.message || (status === NO_ANSWER ? strings.failure.network : strings.failure.unexpected);
    const seconds = status === TOO_MANY ? Number(retryAfter) : 0;
    super(seconds > 0 ? `${said} ${strings.failure.wait(seconds)}` : said);
    this.status = status;
    this.type = problem?.type ?? "about:blank";
    this.requestId = problem?.request_id || undefined;
    this.code = status >= OURS ? this.requestId : undefined;
    this.balance = problem?.balance ?? undefined;
    this.fields = Object.fromEntries(
      Object.entries(problem?.errors ?? {}).map(([field, messages]) => [field, messages.join(" ")]),
    );
  }
}

/** Where no field can be marked, the fields' own texts say what is wrong. */
export function fieldlessText({ message, fields }: Failure): string {
  return Object.values(fields).join(" ") || message;
}

export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(NO_ANSWER, undefined);
}
