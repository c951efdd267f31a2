import { afterEach, expect, it, vi } from "vitest";
import type { CardTokens } from "./contract";
import { type CardData, tokenBody, tokenOf } from "./tokens";

const TOKENS: CardTokens = { format: "sandbox", url: "https://cards.example", account_id: null, test: true };
const CARD: CardData = {
  number: "4242424242424242",
  holder: "M SOUZA",
  month: 8,
  year: 2029,
  securityCode: "123",
};

afterEach(() => {
  vi.restoreAllMocks();
});

const answerWith = (status: number, body: string) =>
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    if (init.signal?.aborted) throw new DOMException("timed out", "TimeoutError");
    return new Response(body, { status });
  });

it("returns the acquirer's token", async () => {
  answerWith(200, '{"token":"tok_1"}');
  expect(await tokenOf(TOKENS, CARD)).toBe("tok_1");
});

it("stops waiting for an acquirer that does not answer", async () => {
  answerWith(200, '{"token":"tok_1"}');
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
  await expect(tokenOf(TOKENS, CARD)).rejects.toMatchObject({ kind: "unreachable" });
});

it.each([
  [500, "{}", "unreachable"],
  [429, "{}", "unreachable"],
  [422, "{}", "refused"],
  [200, "{}", "refused"],
  [200, "<html>", "unreachable"],
])("reports a %d with %s as %s", async (status, body, kind) => {
  answerWith(status, body);
  await expect(tokenOf(TOKENS, CARD)).rejects.toMatchObject({ kind });
});

it("builds the body of a token call in each format, and none for an unknown format", () => {
  const card = { ...CARD, holder: "MARINA S COSTA" };
  expect(tokenBody({ ...TOKENS, format: "iugu", account_id: "ACC" }, card)).toEqual({
    account_id: "ACC",
    method: "credit_card",
    test: true,
    data: {
      number: "4242424242424242",
      verification_value: "123",
      first_name: "MARINA",
      last_name: "S COSTA",
      month: "08",
      year: "2029",
    },
  });
  expect(tokenBody(TOKENS, card)).toEqual({
    number: "4242424242424242",
    holder: "MARINA S COSTA",
    month: "08",
    year: "2029",
    security_code: "123",
  });
  expect(tokenBody({ ...TOKENS, format: "other" }, card)).toBeUndefined();
});
