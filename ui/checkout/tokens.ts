// Turns card data into a token at the acquirer. The data go from this browser to the acquirer. Of the card, the gateway
// gets the token, the brand and the last four digits.
import { answerTimeout } from "./calls";
import type { CardTokens } from "./contract";

export interface CardData {
  number: string;
  holder: string;
  month: number;
  year: number;
  securityCode: string;
}

/**
 * "unreachable": no answer of the acquirer, a 429, a 5xx, or a format that this page does not know. "refused": any
 * other answer without a token.
 */
export class TokenFailure extends Error {
  override readonly name = "TokenFailure";
  readonly kind: "refused" | "unreachable";

  constructor(kind: TokenFailure["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

const twoDigits = (month: number) => String(month).padStart(2, "0");

/** Iugu asks for two names. A holder with one name has it twice. */
function namesOf(holder: string): [first: string, last: string] {
  const [first = "", ...rest] = holder.trim().split(/\s+/);
  return [first, rest.join(" ") || first];
}

/** The body that the endpoint takes; undefined for a format that this page does not know. */
export function tokenBody(tokens: CardTokens, card: CardData): object | undefined {
  const { number, holder, securityCode } = card;
  const month = twoDigits(card.month);
  const year = String(card.year);
  switch (tokens.format) {
    case "iugu": {
      const [first_name, last_name] = namesOf(holder);
      const data = { number, verification_value: securityCode, first_name, last_name, month, year };
      return { account_id: tokens.account_id, method: "credit_card", test: tokens.test, data };
    }
    case "sandbox":
      return { number, holder, month, year, security_code: securityCode };
    default:
      return undefined;
  }
}

export async function tokenOf(tokens: CardTokens, card: CardData): Promise<string> {
  const body = tokenBody(tokens, card);
  if (!body) throw new TokenFailure("unreachable");
  const response = await fetch(tokens.url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    signal: answerTimeout(),
  }).catch(() => {
    throw new TokenFailure("unreachable");
  });
  if (response.status >= 500 || response.status === 429) throw new TokenFailure("unreachable");
  const answer: unknown = await response.json().catch(() => undefined);
  // The connection broke, or the answer is not the acquirer's.
  if (response.ok && answer === undefined) throw new TokenFailure("unreachable");
  const { id, token } = (answer ?? {}) as { id?: unknown; token?: unknown };
  const found = tokens.format === "iugu" ? id : token;
  if (!response.ok || typeof found !== "string" || found === "") throw new TokenFailure("refused");
  return found;
}
