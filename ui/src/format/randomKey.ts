/** An idempotency key: 128 random bits in hexadecimal. */
export function randomKey(): string {
  // Unlike randomUUID, this also exists on pages without TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
