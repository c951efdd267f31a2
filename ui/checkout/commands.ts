// Sends orders and attempts. A command stays in the tab's storage until the gateway has answered. If the answer is
// lost, it is sent again with its idempotency key. The tabs of a browser share the key of a link's next order. So the
// gateway makes one order, even if several tabs send it.
import { randomKey } from "../src/format/randomKey";
import { attemptPath, CallFailure, getOrder, orderPath, sendCommand } from "./calls";
import type { NewAttempt, NewOrder, Order, Payment } from "./contract";
import { forget, ofBrowser, ofTab, remember, remembered } from "./storage";
import { words } from "./words";

const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;

interface Command {
  key: string;
  path: string;
  /** Null: it has a card's token, which only this page keeps. */
  body: string | null;
}

// The names under which the storage has a command, the latest order of a link, and the key of its next order. A subject
// is the code of a link or the reference of an order.
const commandName = (subject: string) => `razao-command:${subject}`;
const latestOrderName = (code: string) => `razao-order:${code}`;
const nextKeyName = (code: string) => `razao-key:${code}`;

/** Bodies with a card's token, by the subject. */
const bodiesOfPage = new Map<string, string>();
/** No command has this body, and the gateway refuses it. If the key has placed an order, the refusal names that. */
const QUESTION = "{}";

export function hasUnanswered(subject: string): boolean {
  return remembered<Command>(ofTab, commandName(subject)) !== undefined;
}

/** Runs alone among the tabs of a browser that has locks. */
async function alone(name: string, work: () => Promise<Order>): Promise<Order> {
  // Pages without TLS have no locks.
  return navigator.locks ? await navigator.locks.request(`razao-${name}`, work) : await work();
}

/** Remembers a command until it is answered. */
function commandOf(subject: string, key: string, path: string, payment: Payment): Command {
  const body = JSON.stringify(payment);
  const hasToken = payment.card !== null;
  if (hasToken) bodiesOfPage.set(subject, body);
  const command = { key, path, body: hasToken ? null : body };
  remember(ofTab, commandName(subject), command);
  return command;
}

function drop(subject: string) {
  bodiesOfPage.delete(subject);
  forget(ofTab, commandName(subject));
}

/** Another tab may have used the key for an order with other fields. The refusal then names that order. */
async function orderOfKey(failure: unknown): Promise<Order> {
  if (failure instanceof CallFailure && failure.order) return await getOrder(failure.order);
  throw failure;
}

async function send(subject: string, { key, path, body }: Command, isRepeat: boolean): Promise<Order> {
  const known = body ?? bodiesOfPage.get(subject);
  try {
    const order = await sendCommand(path, key, known ?? QUESTION).catch(orderOfKey);
    remember(ofBrowser, latestOrderName(order.link_code), order.id);
    // Another tab may have begun a further order.
    if (remembered(ofBrowser, nextKeyName(subject)) === key) forget(ofBrowser, nextKeyName(subject));
    drop(subject);
    return order;
  } catch (error) {
    // A 429 to a repeat does not tell whether the gateway executed the first sending.
    const unclear =
      !(error instanceof CallFailure) || error.isUnclear || (isRepeat && error.status === TOO_MANY_REQUESTS);
    if (unclear) throw error;
    drop(subject);
    throw known ? error : new CallFailure(error.status, { message: words.unanswered.notPlaced });
  }
}

/** This browser's latest order of the link, unless it has ended. */
export async function unfinishedOrder(code: string): Promise<Order | undefined> {
  const reference = remembered<string>(ofBrowser, latestOrderName(code));
  if (typeof reference !== "string") return undefined;
  try {
    const order = await getOrder(reference);
    if (!order.final) return order;
  } catch (error) {
    if (!(error instanceof CallFailure) || error.status !== NOT_FOUND) throw error;
  }
  forget(ofBrowser, latestOrderName(code));
  return undefined;
}

/** The buyer starts over, and pays the link once more. */
export const forgetOrder = (code: string) => forget(ofBrowser, latestOrderName(code));

/** Places an order. Resolves with this browser's latest order of the link instead, if that has not ended. */
export function placeOrder(code: string, order: NewOrder): Promise<Order> {
  return alone(code, async () => {
    const placed = await unfinishedOrder(code);
    if (placed) return placed;
    const known = remembered<string>(ofBrowser, nextKeyName(code));
    const first = await sendOrder(code, order, typeof known === "string" ? known : randomKey());
    // The remembered key may be of an order that was never shown and has ended unpaid. Then a new one is placed.
    return known && first.final && first.status !== "paid"
      ? await sendOrder(code, order, randomKey())
      : first;
  });
}

function sendOrder(code: string, order: NewOrder, key: string): Promise<Order> {
  remember(ofBrowser, nextKeyName(code), key);
  return send(code, commandOf(code, key, orderPath(code), order), false);
}

export function tryAgain(reference: string, attempt: NewAttempt): Promise<Order> {
  return alone(reference, () =>
    send(reference, commandOf(reference, randomKey(), attemptPath(reference), attempt), false),
  );
}

/** Sends an unanswered command again. After a reload, a card's token is lost; then this only asks for the order. */
export function resume(subject: string): Promise<Order> {
  return alone(subject, async () => {
    const command = remembered<Command>(ofTab, commandName(subject));
    if (!command) throw new Error(`no unanswered command of ${subject}`);
    return send(subject, command, true);
  });
}
