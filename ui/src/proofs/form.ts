// Reads the values of a proof from parsed JSON. `JSON.parse` keeps the last of two members with one name, and what it
// keeps is what is checked and shown.
import { type Bytes, hex } from "./bytes";
import { need } from "./refusal";

export type Json = Readonly<Record<string, unknown>>;

/** The texts of a JSON document, without which no numbers but its own are left. */
const TEXTS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** Parses a document without fractions and exponents: `JSON.parse` would read 1.0 and 1e0 as the integer 1. */
export function parse(text: string): unknown {
  const value = parseAny(text);
  need(!/\d[.eE]/.test(text.replace(TEXTS, "")), "form");
  return value;
}

export function parseAny(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    need(false, "form");
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object with exactly these members. */
export function members<Name extends string>(value: unknown, names: readonly Name[]): Record<Name, unknown> {
  need(isObject(value) && Object.keys(value).length === names.length, "form");
  need(
    names.every((name) => Object.hasOwn(value, name)),
    "form",
  );
  return value as Record<Name, unknown>;
}

export function integer(
  value: unknown,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): number {
  need(Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max, "form");
  return value as number;
}

export function text(value: unknown): string {
  need(typeof value === "string", "form");
  return value;
}

export function list(value: unknown): readonly unknown[] {
  need(Array.isArray(value), "form");
  return value;
}

export const path = (value: unknown): Bytes[] => list(value).map((node) => hex(node, 32));

const ID = /^[a-z]{3}_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The 16 bytes of an id such as `evt_` and a UUID. */
export function uuid(value: unknown, prefix: string): Bytes {
  const id = text(value);
  need(ID.test(id) && id.startsWith(prefix), "form");
  return hex(id.slice(4).replaceAll("-", ""), 16);
}
