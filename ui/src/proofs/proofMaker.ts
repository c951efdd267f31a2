// Makes proofs of a small log for the tests beside it, with a key of its own.

import { type Accounts, noAccounts } from "./accounts";
import { type Bytes, concat, int64, sha256, utf8 } from "./bytes";

const hexOf = (bytes: Bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const base64Of = (bytes: Bytes) => btoa(String.fromCharCode(...bytes));

export const BUSINESS = "biz_00000000-0000-4000-8000-000000000001";
export const SALE = "sal_00000000-0000-4000-8000-00000000000a";
const BUSINESS_BYTES = Uint8Array.of(0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1);

export interface MadeEvent {
  type: string;
  version?: string;
  /** The value of the payload's member. */
  e: object;
  /** Microseconds since 1970. */
  occurredAt?: number;
  /** The payload, if it is not what follows from the type and `e`. */
  payload?: string;
}

interface Signer {
  publicKey: Bytes;
  sign: (text: string) => Promise<Bytes>;
}

export async function signer(): Promise<Signer> {
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  return {
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)),
    sign: async (text) =>
      new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, privateKey, utf8(text))),
  };
}

const leafOf = (data: Bytes) => sha256(concat(Uint8Array.of(0), data));
const keyId = async (name: string, kind: number, key: Bytes) =>
  (await sha256(concat(utf8(`${name}\n`), Uint8Array.of(kind), key))).slice(0, 4);

/** The definition of RFC 9162, section 2.1.1. */
export async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  const [first] = leaves;
  if (!first) throw new Error("a tree has leaves");
  if (leaves.length === 1) return leafOf(first);
  const left = splitOf(leaves.length);
  const halves = await Promise.all([rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left))]);
  return sha256(concat(Uint8Array.of(1), ...halves));
}

/** The largest power of two below the size. */
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

/** The definition of section 2.1.3.1. */
export async function inclusionPath(index: number, leaves: readonly Bytes[]): Promise<Bytes[]> {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...(await inclusionPath(index, left)), await rootOf(right)]
    : [...(await inclusionPath(index - split, right)), await rootOf(left)];
}

/** The definition of section 2.1.4.1. */
export async function consistencyPath(
  size: number,
  leaves: readonly Bytes[],
  complete = true,
): Promise<Bytes[]> {
  if (size === leaves.length) return complete ? [] : [await rootOf(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return size <= split
    ? [...(await consistencyPath(size, left, complete)), await rootOf(right)]
    : [...(await consistencyPath(size - split, right, false)), await rootOf(left)];
}

export interface Log {
  key: Signer;
  keys: string[];
  /** The note at a size, with the cosignature of a witness if there is one. */
  note: (size: number, witness?: { name: string; key: Signer; seconds: number }) => Promise<string>;
  company: (accounts: Partial<Accounts>) => Promise<Record<string, unknown>>;
  sale: () => Promise<Record<string, unknown>>;
  growth: (from: number) => Promise<Record<string, unknown>>;
}

interface Options {
  /** The shard is so many further than the company's. */
  shardsFurther?: number;
  madeAt?: string;
}

/** A log of one company. */
export async function logOf(
  made: readonly MadeEvent[],
  { shardsFurther = 0, madeAt = "2026-11-24T03:00:00.123456Z" }: Options = {},
): Promise<Log> {
  const key = await signer();
  const shard = (((await sha256(BUSINESS_BYTES))[0] ?? 0) + shardsFurther) % 16;
  const origin = `razao.example.com/shard/${shard}`;
  const events = made.map((event, at) => ({
    sequence: at + 1,
    position: at + 1,
    event_id: `evt_00000000-0000-4000-8000-${(at + 1).toString(16).padStart(12, "0")}`,
    event_type: event.type,
    event_version: event.version ?? "1.0",
    recorded_at: 1_780_000_000_000_000 + at,
    occurred_at: event.occurredAt ?? 1_780_000_000_000_000 + at,
    key: at === 0 ? { key: "01".repeat(16), fingerprint: "02".repeat(16), events: made.length } : null,
    metadata_sha256: "03".repeat(32),
    payload: event.payload ?? JSON.stringify({ [event.type]: event.e }),
  }));
  const digests = await Promise.all(events.map(digest));
  const chains = [new Uint8Array(32)];
  for (const one of digests) chains.push(await sha256(concat(chains.at(-1) as Bytes, one)));

  const note: Log["note"] = async (size, witness) => {
    const member = concat(BUSINESS_BYTES, int64(size), chains[size] as Bytes);
    const lines = [
      origin,
      size,
      base64Of(await rootOf(digests.slice(0, size))),
      `companies 1 ${base64Of(await leafOf(member))}`,
      `made-at ${madeAt}`,
    ];
    const body = `${lines.join("\n")}\n`;
    const own = concat(await keyId(origin, 1, key.publicKey), await key.sign(body));
    const signed = `${body}\n— ${origin} ${base64Of(own)}\n`;
    if (!witness) return signed;
    const { name, seconds } = witness;
    const cosigned = await witness.key.sign(`cosignature/v1\ntime ${seconds}\n${body}`);
    const bytes = concat(await keyId(name, 4, witness.key.publicKey), int64(seconds), cosigned);
    return `${signed}— ${name} ${base64Of(bytes)}\n`;
  };
  const head = async (kind: string) => ({
    format: "razao proof 1",
    kind,
    checkpoint: await note(events.length),
    public_key: hexOf(key.publicKey),
  });
  return {
    key,
    keys: [hexOf(key.publicKey)],
    note,
    company: async (accounts) => ({
      ...(await head("company")),
      business_id: BUSINESS,
      events,
      member: { index: 0, path: [] },
      accounts: { ...noAccounts(), ...accounts },
      period: null,
    }),
    sale: async () => ({
      ...(await head("sale")),
      business_id: BUSINESS,
      sale_id: SALE,
      events: await Promise.all(
        events.map(async (event, at) => ({ ...event, path: (await inclusionPath(at, digests)).map(hexOf) })),
      ),
    }),
    growth: async (from) => ({
      ...(await head("growth")),
      earlier: await note(from),
      path: (await consistencyPath(from, digests)).map(hexOf),
    }),
  };
}

export async function vkeyOf(name: string, { publicKey }: Signer): Promise<string> {
  const id = hexOf(await keyId(name, 4, publicKey));
  return `${name}+${id}+${base64Of(concat(Uint8Array.of(4), publicKey))}`;
}

interface MadeRow {
  sequence: number;
  event_id: string;
  event_type: string;
  event_version: string;
  recorded_at: number;
  occurred_at: number;
  key: { events: number } | null;
  payload: string;
}

async function digest(event: MadeRow): Promise<Bytes> {
  const keyed = event.key !== null;
  const fields: Bytes[] = [
    utf8("2"),
    BUSINESS_BYTES,
    int64(event.sequence),
    concat(BUSINESS_BYTES.slice(0, 8), Uint8Array.of(0x80, 0), int64(event.sequence).slice(2)),
    utf8(event.event_type),
    utf8(event.event_version),
    int64(event.recorded_at),
    int64(event.occurred_at),
    keyed ? new Uint8Array(16).fill(1) : new Uint8Array(0),
    keyed ? new Uint8Array(16).fill(2) : new Uint8Array(0),
    event.key ? int64(event.key.events).slice(6) : new Uint8Array(0),
  ];
  const header = fields.flatMap((field) => [int64(field.length).slice(4), field]);
  return sha256(concat(...header, new Uint8Array(32).fill(3), await sha256(utf8(event.payload))));
}
