// The error of a call: an error answer of the gateway (RFC 9457) or a lost connection.
import { strings } from "../strings/pt-BR";
import type { BalanceShort, Problem } from "./models";

/** The status of a request that got no answer. */
export const NO_ANSWER = 0;

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

export class Failure extends Error {
  override readonly name = "Failure";
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The problem's type (RFC 9457): "about:blank", or a path such as "/problems/duplicate-transfer". */
  readonly type: string;
  readonly requestId: string | undefined;
  /** The code by which support finds a server error; refusals have none. */
  readonly code: string | undefined;
  /** Set if the balance does not suffice for a sale's reversal. */
  readonly balance: BalanceShort | undefined;
  /** The status that forbids a command, or the federal state of an unknown postal code. */
  readonly state: string | undefined;

  /** `retryAfter`: the header Retry-After. Its seconds are shown for a 429. */
  constructor(status: number, problem: Partial<Problem> | undefined, retryAfter?: string | null) {
    const text =
      problem?.message || (status === NO_ANSWER ? strings.failure.network : strings.failure.unexpected);
    const seconds = status === TOO_MANY_REQUESTS ? Number(retryAfter) : 0;
    super(seconds > 0 ? `${text} ${strings.failure.wait(seconds)}` : text);
    this.status = status;
    this.type = problem?.type ?? "about:blank";
    this.requestId = problem?.request_id || undefined;
    this.code = status >= SERVER_ERROR ? this.requestId : undefined;
    this.balance = problem?.balance ?? undefined;
    this.state = problem?.state ?? undefined;
    this.fields = Object.fromEntries(
      Object.entries(problem?.errors ?? {}).map(([field, messages]) => [field, messages.join(" ")]),
    );
  }

  /** The same failure with other field names: a form's instead of the gateway's. Fields without a name are left out. */
  withFieldNames(nameOf: (field: string) => string | undefined): Failure {
    const named = Object.entries(this.fields).map(([field, text]) => [nameOf(field), text] as const);
    return this.#copy(this.message, Object.fromEntries(named.filter(([name]) => name !== undefined)));
  }

  /** The same failure with another message and without field errors. */
  withMessage(message: string): Failure {
    return this.#copy(message, {});
  }

  #copy(message: string, fields: Readonly<Record<string, string>>): Failure {
    const errors = Object.fromEntries(Object.entries(fields).map(([field, text]) => [field, [text]]));
    const { status, type, requestId, balance, state = null } = this;
    return new Failure(status, { type, message, errors, request_id: requestId, balance, state });
  }
}

/** The texts of the refused fields, for a screen that cannot mark the fields; without such texts, the message. */
export function fieldTextsOrMessage({ message, fields }: Failure): string {
  return Object.values(fields).join(" ") || message;
}

/** Every other error counts as a lost connection: fetch throws a TypeError. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(NO_ANSWER, undefined);
}

/** Whether a command was accepted. The form shows the refusal from the command's `failure`. */
export function succeeds(command: Promise<unknown>): Promise<boolean> {
  return command.then(
    () => true,
    () => false,
  );
}
