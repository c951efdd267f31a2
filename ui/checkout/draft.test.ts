import { beforeEach, expect, it, vi } from "vitest";
import { NO_BUYER } from "./buyer";
import { type Draft, draftOf, keepDraft } from "./draft";

const CODE = "2F6F4F5A1B0B";
const EMPTY: Draft = { buyer: NO_BUYER, amount: undefined, type: undefined };
let stored: Map<string, string>;
let isFull: boolean;

beforeEach(() => {
  stored = new Map();
  isFull = false;
  const sessionStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (isFull) throw new Error("full");
      stored.set(name, text);
    },
  };
  vi.stubGlobal("window", { sessionStorage });
});

it("keeps the typed fields of a link, and begins another link with none", () => {
  const address = { ...NO_BUYER.address, city: "Recife" };
  const draft: Draft = { buyer: { ...NO_BUYER, name: "Marina", address }, amount: 20_00, type: "pix" };
  keepDraft(CODE, draft);
  expect(draftOf(CODE)).toEqual(draft);
  expect(draftOf("000000000000")).toEqual(EMPTY);
});

it("keeps the last draft in the page if the storage is full", () => {
  keepDraft(CODE, { ...EMPTY, type: "pix" });
  isFull = true;
  keepDraft(CODE, { ...EMPTY, type: "boleto" });
  expect(draftOf(CODE).type).toBe("boleto");
  isFull = false;
  keepDraft(CODE, EMPTY);
});

it.each([
  '{"buyer":{"name":5,"address":"Recife","nickname":"Nina"},"amount":"2000","type":"cash"}',
  '{"buyer":null,"amount":0.5}',
  "[]",
  "not JSON",
])("leaves out stored values of another shape: %s", (text) => {
  keepDraft(CODE, EMPTY);
  for (const name of stored.keys()) stored.set(name, text);
  expect(draftOf(CODE)).toEqual(EMPTY);
});
