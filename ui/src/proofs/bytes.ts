// Bytes, their texts in proofs, and the two algorithms of WebCrypto that proofs need.
import { need, Refusal, type RefusalCode } from "./refusal";

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** A surrogate without its other half has no bytes in UTF-8, and `TextEncoder` would replace it in silence. */
const HALF_SURROGATE = /\p{Surrogate}/u;

export function utf8(text: string): Bytes {
  need(!HALF_SURROGATE.test(text), "form");
  return encoder.encode(text);
}

export function concat(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const equal = (a: Bytes, b: Bytes) => a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Big-endian, in 8 bytes. */
export function int64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/** Lowercase hexadecimal of so many bytes. */
export function hex(value: unknown, length: number): Bytes {
  need(typeof value === "string" && value.length === 2 * length && /^[0-9a-f]*$/.test(value), "form");
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(value.slice(2 * at, 2 * at + 2), 16));
}

/** The standard alphabet with padding, in the one way in which these bytes are written. */
export function base64(text: string): Bytes {
  need(/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, "form");
  const binary = atob(text);
  need(btoa(binary) === text, "form");
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle().digest("SHA-256", bytes));
}

/** Refuses with `code` if the signature does not match. */
export async function verifyEd25519(publicKey: Bytes, signature: Bytes, signed: Bytes, code: RefusalCode) {
  let matches = false;
  try {
    const key = await subtle().importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
    matches = await subtle().verify({ name: "Ed25519" }, key, signature, signed);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Other errors say that the bytes are no key.
    const unsupported = (error as Error).name === "NotSupportedError";
    throw new Refusal(unsupported ? "no_ed25519" : code);
  }
  need(matches, code);
}

/** Browsers have it on secure addresses only. */
function subtle(): SubtleCrypto {
  need(globalThis.crypto?.subtle, "no_ed25519");
  return globalThis.crypto.subtle;
}
