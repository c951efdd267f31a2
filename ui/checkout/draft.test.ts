import { beforeEach, expect, it, vi } from "vitest";
import { NO_BUYER } from "./buyer";
import { type Draft, draftOf, keepDraft } from "./draft";

const CODE = "2F6F4F5A1B0B";
const EMPTY: Draft = { buyer: NO_BUYER, amount: undefined, type: undefined };
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  const sessionStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
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
