// One command makes one order, even if answers are lost.
import { beforeEach, expect, it, vi } from "vitest";
import { NO_BUYER } from "./buyer";
import { CallFailure } from "./calls";
import { forgetOrder, hasUnanswered, placeOrder, resume } from "./commands";
import type { NewOrder, Order } from "./contract";
import { words } from "./words";

const CODE = "2F6F4F5A1B0B";
const ORDER = { id: "7Q2M4Z9XKD", link_code: CODE, final: false } as Order;
const NEW: NewOrder = {
  buyer: { ...NO_BUYER, address: null },
  payment_type: "credit",
  total: 180_00,
  card: { token: "tok_1", brand: "visa", last_four: "4242", installments: 1 },
};

class FakeStorage {
  readonly texts = new Map<string, string>();
  getItem = (name: string) => this.texts.get(name) ?? null;
  setItem = (name: string, text: string) => void this.texts.set(name, text);
  removeItem = (name: string) => void this.texts.delete(name);
}

type Call = { path: string; key: string | undefined; body: string | undefined };
let calls: Call[];
let answers: (Response | "lost")[];
let tab: FakeStorage;
let browser: FakeStorage;

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  calls = [];
  answers = [];
  tab = new FakeStorage();
  browser = new FakeStorage();
  vi.stubGlobal("window", { sessionStorage: tab, localStorage: browser });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    const headers = init?.headers as Record<string, string> | undefined;
    calls.push({ path, key: headers?.["Idempotency-Key"], body: init?.body as string | undefined });
    const answer = answers.shift();
    if (!answer || answer === "lost") throw new TypeError("network");
    return answer;
  });
});

it("repeats a lost command with its key and its body, and forgets it with the answer", async () => {
  answers = ["lost", json(503, {}), json(201, ORDER)];
  await expect(placeOrder(CODE, NEW)).rejects.toThrow(CallFailure);
  expect(hasUnanswered(CODE)).toBe(true);
  await expect(resume(CODE)).rejects.toThrow(CallFailure);
  expect(await resume(CODE)).toEqual(ORDER);
  expect(hasUnanswered(CODE)).toBe(false);
  expect(calls[0]?.key).toBeTruthy();
  expect(calls).toEqual(Array(3).fill(calls[0]));
});

/** A gateway that keeps orders by their keys, and whose answers are lost as long as `isCut`. */
function gateway() {
  const orders = new Map<string, { body: string; order: Order }>();
  const served = {
    orders,
    isCut: true,
    answer(path: string, key: string, body: string): Response {
      if (path.endsWith("/status")) {
        const found = [...orders.values()].find(({ order }) => path.includes(order.id));
        return found ? json(200, found.order) : json(404, {});
      }
      const known = orders.get(key);
      const id = known?.order.id ?? `ORDER${orders.size}`;
      if (known && known.body !== body) {
        const headers = { Location: `/api/transactions/${id}/status` };
        return new Response("{}", { status: 409, headers });
      }
      if (body === "{}") return json(422, { message: "Confira.", errors: { total: ["Informe o total."] } });
      if (!known) orders.set(key, { body, order: { ...ORDER, id } });
      return json(201, { ...ORDER, id });
    },
  };
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    const headers = init?.headers as Record<string, string> | undefined;
    const answer = served.answer(path, headers?.["Idempotency-Key"] ?? "", String(init?.body));
    if (served.isCut) throw new TypeError("network");
    return answer;
  });
  return served;
}

const BY_PIX: NewOrder = { ...NEW, payment_type: "pix", card: null };
const inTab = (storage: FakeStorage) =>
  vi.stubGlobal("window", { sessionStorage: storage, localStorage: browser });

it("makes one order of two tabs whose answers were both lost", async () => {
  const served = gateway();
  const other = new FakeStorage();
  await expect(placeOrder(CODE, BY_PIX)).rejects.toThrow();
  inTab(other);
  const named = { ...BY_PIX, buyer: { ...NEW.buyer, name: "Marina Souza Costa" } };
  await expect(placeOrder(CODE, named)).rejects.toThrow();
  served.isCut = false;
  const [order] = [...served.orders.values()].map((kept) => kept.order);
  expect(await resume(CODE)).toEqual(order);
  inTab(tab);
  expect(await resume(CODE)).toEqual(order);
  expect(served.orders.size).toBe(1);
  expect(browser.texts.has(`razao-key:${CODE}`)).toBe(false);
});

it("keeps a card's token in the page alone, and asks for the order after a reload", async () => {
  const served = gateway();
  for (const hasArrived of [true, false]) {
    await expect(placeOrder(CODE, NEW)).rejects.toThrow();
    expect([...tab.texts.values(), ...browser.texts.values()].join()).not.toContain("tok_1");
    served.isCut = false;
    if (!hasArrived) served.orders.clear();
    vi.resetModules();
    const reloaded = await import("./commands");
    const answer = await reloaded.resume(CODE).catch((error: Error) => error.message);
    expect(answer).toEqual(hasArrived ? { ...ORDER, id: "ORDER0" } : words.unanswered.notPlaced);
    expect(reloaded.hasUnanswered(CODE)).toBe(false);
    forgetOrder(CODE);
    served.isCut = true;
  }
});

it("remembers a lost command in the page if storage is switched off", async () => {
  const off = () => {
    throw new Error("off");
  };
  vi.stubGlobal("window", {
    get sessionStorage() {
      return off();
    },
    get localStorage() {
      return off();
    },
  });
  const served = gateway();
  await expect(placeOrder(CODE, BY_PIX)).rejects.toThrow();
  expect(hasUnanswered(CODE)).toBe(true);
  served.isCut = false;
  await resume(CODE);
  expect(served.orders.size).toBe(1);
  expect(hasUnanswered(CODE)).toBe(false);
  forgetOrder(CODE);
});

it("keeps no command that the gateway refused", async () => {
  answers = [json(422, { message: "Confira.", errors: { "buyer.email": ["Email inválido."] } })];
  const failure = await placeOrder(CODE, NEW).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 422, fields: { "buyer.email": "Email inválido." } });
  expect(hasUnanswered(CODE)).toBe(false);
});

it("keeps a lost command whose repeat got a 429", async () => {
  answers = ["lost", json(429, {})];
  await expect(placeOrder(CODE, NEW)).rejects.toThrow();
  await expect(resume(CODE)).rejects.toThrow();
  expect(hasUnanswered(CODE)).toBe(true);
});

it("returns the open order of another tab instead of placing a second", async () => {
  answers = [json(201, ORDER), json(200, ORDER)];
  await placeOrder(CODE, NEW);
  inTab(new FakeStorage());
  expect(await placeOrder(CODE, NEW)).toEqual(ORDER);
  expect(calls.map(({ path }) => path)).toEqual([
    `/api/pl/${CODE}/placeorder`,
    `/api/transactions/${ORDER.id}/status`,
  ]);
});

it("places another order after the first has ended, or was left behind", async () => {
  const second = { ...ORDER, id: "SECOND0000" };
  answers = [json(201, ORDER), json(200, { ...ORDER, final: true }), json(201, second), json(201, ORDER)];
  await placeOrder(CODE, NEW);
  expect(await placeOrder(CODE, NEW)).toEqual(second);
  forgetOrder(CODE);
  expect(await placeOrder(CODE, NEW)).toEqual(ORDER);
  const keys = calls.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(3);
});
