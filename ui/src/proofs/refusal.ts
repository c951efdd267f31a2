// Why a file is no proof. The page has a text for each code.

export type RefusalCode =
  /** The browser has no Ed25519 in WebCrypto, so nothing was checked. */
  | "no_ed25519"
  /** A witness that the caller gave is not written as one. */
  | "witness_key"
  /** Not a file of the format: another kind of file, a changed one, or of a later format. */
  | "form"
  | "unknown_key"
  | "signature"
  | "cosignature"
  /** The company has its events in another shard. */
  | "other_shard"
  /** Events are missing or not in order. */
  | "order"
  | "other_sale"
  /** An event is not in the log, or was recorded with other contents. */
  | "not_in_log"
  | "unknown_event"
  /** The events are not all of the company's events, or were recorded with other contents. */
  | "other_events"
  | "accounts"
  | "period"
  /** The earlier checkpoint is of another log, or is a later one. */
  | "other_log"
  /** The later log does not have all of the earlier one. */
  | "rewritten";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  /** The sequence of the event that is wrong, where there is one. */
  readonly event: number | undefined;

  constructor(code: RefusalCode, event?: number) {
    super(code);
    this.code = code;
    this.event = event;
  }
}

export function need(condition: unknown, code: RefusalCode, event?: number): asserts condition {
  if (!condition) throw new Refusal(code, event);
}
