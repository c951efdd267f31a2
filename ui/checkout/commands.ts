// Sends orders and attempts so that a double click, a second tab, a reload or a lost answer never makes two. A command
// and its key stay in the tab's storage until the gateway has answered; until then the same command is sent again.
import { attemptPath, CallFailure, getOrder, orderPath, sendCommand } from "./calls";
import type { NewAttempt, NewOrder, Order } from "./contract";
import { forget, ofBrowser, ofTab, remember, remembered } from "./storage";

const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;

interface Command {
  key: string;
  path: string;
  /** With the card's token, which pays once. */
  body: string;
}

/** The command of a link or an order, by its code or reference. */
const unanswered = (subject: string) => `razao-command:${subject}`;
const latestOrder = (code: string) => `razao-order:${code}`;

export function hasUnanswered(subject: string): boolean {
  return remembered<Command>(ofTab, unanswered(subject)) !== undefined;
}

function newKey(): string {
  // Unlike randomUUID, this also exists on pages without TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Runs alone among the tabs of this browser. */
async function alone(name: string, work: () => Promise<Order>): Promise<Order> {
  // Pages without TLS have no locks.
  return navigator.locks ? await navigator.locks.request(`razao-${name}`, work) : await work();
}

async function send(subject: string, command: Command, isRepeat: boolean): Promise<Order> {
  remember(ofTab, unanswered(subject), command);
  try {
    const order = await sendCommand(command.path, command.key, command.body);
    remember(ofBrowser, latestOrder(order.link_code), order.id);
    forget(ofTab, unanswered(subject));
    return order;
  } catch (error) {
    // A repeat that is refused for its rate says nothing about the first.
    const unclear =
      !(error instanceof CallFailure) || error.isUnclear || (isRepeat && error.status === TOO_MANY_REQUESTS);
    if (!unclear) forget(ofTab, unanswered(subject));
    throw error;
  }
}

/** The order of this browser for the link, unless it has ended. */
export async function openOrder(code: string): Promise<Order | undefined> {
  const reference = remembered<string>(ofBrowser, latestOrder(code));
  if (typeof reference !== "string") return undefined;
  try {
    const order = await getOrder(reference);
    if (!order.final) return order;
  } catch (error) {
    if (!(error instanceof CallFailure) || error.status !== NOT_FOUND) throw error;
  }
  forget(ofBrowser, latestOrder(code));
  return undefined;
}

/** The buyer starts over, and pays the link once more. */
export const forgetOrder = (code: string) => forget(ofBrowser, latestOrder(code));

/** Places an order. If another tab has placed one since this page was opened, it resolves with that one. */
export function placeOrder(code: string, order: NewOrder): Promise<Order> {
  return alone(code, async () => {
    const placed = await openOrder(code);
    if (placed) return placed;
    const body = JSON.stringify(order);
    return send(code, { key: newKey(), path: orderPath(code), body }, false);
  });
}

export function tryAgain(reference: string, attempt: NewAttempt): Promise<Order> {
  return alone(reference, () =>
    send(reference, { key: newKey(), path: attemptPath(reference), body: JSON.stringify(attempt) }, false),
  );
}

/** Sends a command again whose answer was lost. */
export function resume(subject: string): Promise<Order> {
  return alone(subject, async () => {
    const command = remembered<Command>(ofTab, unanswered(subject));
    if (!command) throw new Error(`no unanswered command of ${subject}`);
    return send(subject, command, true);
  });
}
