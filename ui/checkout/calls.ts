// The calls of the checkout. Each either resolves with the answer or throws a CallFailure.
import type { Link, Order } from "./contract";
import { noteServerTime } from "./time";
import { words } from "./words";

/** The status of a call that got no usable answer. */
export const NO_ANSWER = 0;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
/** Longer than the gateway waits for a card's answer. A phone may not notice that its connection is dead. */
const ANSWER_MS_MAX = 25_000;

/** Ends a call without an answer. Null in browsers without `AbortSignal.timeout`. */
export const answerTimeout = (): AbortSignal | null => AbortSignal.timeout?.(ANSWER_MS_MAX) ?? null;

const ORDER_ADDRESS = /\/transactions\/([^/]+)\/status$/;

export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly status: number;
  /** The messages of each field in one text, by the field's name in the body. */
  readonly fields: Readonly<Record<string, string>>;
  /** The seconds to wait after a 429. */
  readonly waitSeconds: number | undefined;
  /** The brand that the acquirer reads from the card, if the page sent another one. */
  readonly cardBrand: string | undefined;
  /** The reference of the order that the answer's `Location` names. */
  readonly order: string | undefined;

  constructor(status: number, problem: Problem = {}, headers = new Headers()) {
    super(problem.message || (status === NO_ANSWER ? words.failure.network : words.failure.unexpected));
    this.status = status;
    this.fields = Object.fromEntries(
      Object.entries(problem.errors ?? {}).map(([field, messages]) => [field, messages.join(" ")]),
    );
    this.cardBrand = problem.card_brand;
    const seconds = Number(headers.get("Retry-After"));
    this.waitSeconds = status === TOO_MANY_REQUESTS && seconds > 0 ? seconds : undefined;
    this.order = ORDER_ADDRESS.exec(headers.get("Location") ?? "")?.[1];
  }

  /** Whether the gateway may have executed the command all the same. */
  get isUnclear(): boolean {
    return this.status === NO_ANSWER || this.status >= SERVER_ERROR;
  }
}

/** An error of another class counts as a lost connection. */
export const asCallFailure = (error: unknown): CallFailure =>
  error instanceof CallFailure ? error : new CallFailure(NO_ANSWER);

interface Problem {
  message?: string;
  card_brand?: string;
  errors?: Record<string, string[]>;
}

async function answered<Body>(path: string, init?: RequestInit): Promise<{ body: Body; headers: Headers }> {
  const response = await fetch(path, { ...init, signal: answerTimeout() }).catch(() => {
    throw new CallFailure(NO_ANSWER);
  });
  // A proxy's error page is not JSON.
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const problem = typeof body === "object" && body !== null ? body : {};
    throw new CallFailure(response.status, problem, response.headers);
  }
  if (body === undefined) throw new CallFailure(NO_ANSWER);
  return { body: body as Body, headers: response.headers };
}

/** The answers about orders have the time of the gateway's clock. */
async function orderOf(path: string, init?: RequestInit): Promise<Order> {
  const { body, headers } = await answered<Order>(path, init);
  noteServerTime(headers.get("Date"));
  return body;
}

const at = (path: string, id: string) => path.replace("{}", encodeURIComponent(id));

/** A call without an amount counts as an opening of the page. */
export async function getLink(code: string, amount?: number): Promise<Link> {
  const query = amount === undefined ? "" : `?amount=${amount}`;
  return (await answered<Link>(at("/api/pl/{}", code) + query)).body;
}

export const getOrder = (id: string): Promise<Order> => orderOf(at("/api/transactions/{}/status", id));

export const eventsPath = (id: string) => at("/api/transactions/{}/events", id);
export const orderPath = (code: string) => at("/api/pl/{}/placeorder", code);
export const attemptPath = (id: string) => at("/api/transactions/{}/attempts", id);
export const boletoPath = (id: string) => at("/api/transactions/{}/boleto", id);

export function sendCommand(path: string, key: string, body: string): Promise<Order> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  return orderOf(path, { method: "POST", headers, body });
}

/** Throws if the boleto cannot be opened. The browser loads the document itself. */
export async function checkBoleto(id: string): Promise<void> {
  const asked = new AbortController();
  const response = await fetch(boletoPath(id), { signal: asked.signal }).catch(() => {
    throw new CallFailure(NO_ANSWER);
  });
  if (response.ok) {
    asked.abort();
    return;
  }
  const problem = (await response.json().catch(() => ({}))) as Problem;
  throw new CallFailure(response.status, problem, response.headers);
}
