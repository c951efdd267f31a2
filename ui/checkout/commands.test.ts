// One command makes one order, whatever is lost or pressed twice.
import { beforeEach, expect, it, vi } from "vitest";
import { NO_BUYER } from "./buyer";
import { CallFailure } from "./calls";
import { forgetOrder, hasUnanswered, placeOrder, resume } from "./commands";
import type { NewOrder, Order } from "./contract";

const CODE = "2F6F4F5A1B0B";
const ORDER = { id: "7Q2M4Z9XKD", link_code: CODE, final: false } as Order;
const NEW: NewOrder = {
  buyer: { ...NO_BUYER, address: null },
  payment_type: "credit",
  total: 180_00,
  card: { token: "tok_1", brand: "visa", last_four: "4242", installments: 1 },
};

class Memory {
  readonly texts = new Map<string, string>();
  getItem = (name: string) => this.texts.get(name) ?? null;
  setItem = (name: string, text: string) => void this.texts.set(name, text);
  removeItem = (name: string) => void this.texts.delete(name);
}

type Call = { path: string; key: string | undefined; body: string | undefined };
let calls: Call[];
let answers: (Response | "lost")[];
let tab: Memory;

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  calls = [];
  answers = [];
  tab = new Memory();
  vi.stubGlobal("window", { sessionStorage: tab, localStorage: new Memory() });
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
  expect(new Set(calls.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
  expect([...tab.texts.values()].join()).not.toContain("tok_1");
});

it("keeps no command that the gateway refused", async () => {
  answers = [json(422, { message: "Confira.", errors: { "buyer.email": ["Email inválido."] } })];
  const failure = await placeOrder(CODE, NEW).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 422, fields: { "buyer.email": "Email inválido." } });
  expect(hasUnanswered(CODE)).toBe(false);
});

it("keeps a lost command whose repeat came too often", async () => {
  answers = ["lost", json(429, {})];
  await expect(placeOrder(CODE, NEW)).rejects.toThrow();
  await expect(resume(CODE)).rejects.toThrow();
  expect(hasUnanswered(CODE)).toBe(true);
});

it("returns the open order of another tab instead of placing a second", async () => {
  answers = [json(201, ORDER), json(200, ORDER)];
  await placeOrder(CODE, NEW);
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
