// Checkpoints: signed notes of C2SP (tlog-checkpoint, tlog-cosignature).
import { type Bytes, base64, concat, equal, hex, sha256, utf8, verifyEd25519 } from "./bytes";
import { integer, text } from "./form";
import type { Tree } from "./merkle";
import { need, Refusal } from "./refusal";

export interface Cosignature {
  name: string;
  /** An instant. */
  cosignedAt: string;
}

export interface Checkpoint {
  origin: string;
  events: Tree;
  companies: Tree;
  /** An instant, with microseconds. */
  madeAt: string;
  witnesses: Cosignature[];
}

export interface Witness {
  name: string;
  keyId: Bytes;
  publicKey: Bytes;
}

/** The kinds of keys: of a log, and of a witness. */
const LOG = 1;
const WITNESS = 4;

const KEY_ID = 4;
const COSIGNATURE = KEY_ID + 8 + 64;

/** The end of the year 9999: later instants have no text. */
const SECONDS_MAX = 253_402_300_799;

const LINES = new RegExp(
  [
    "^([^ +\\n]+/shard/(?:[0-9]|1[0-5]))",
    "([1-9][0-9]{0,15})",
    "([^ \\n]+)",
    "companies ([1-9][0-9]{0,15}) ([^ \\n]+)",
    "made-at (([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3})[0-9]{3}Z)$",
  ].join("\\n"),
);

async function keyIdOf(name: string, kind: number, key: Bytes): Promise<Bytes> {
  return (await sha256(concat(utf8(`${name}\n`), Uint8Array.of(kind), key))).slice(0, KEY_ID);
}

/** Reads `name+<hex>+<base64>`. */
export async function witnessOf(vkey: string): Promise<Witness> {
  const [, name = "", id, key = ""] = /^([^ +]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? [];
  try {
    const [kind, ...bytes] = base64(key);
    const publicKey = Uint8Array.from(bytes);
    const keyId = await keyIdOf(name, WITNESS, publicKey);
    need(kind === WITNESS && bytes.length === 32 && equal(keyId, hex(id, KEY_ID)), "witness_key");
    return { name, keyId, publicKey };
  } catch (error) {
    if (error instanceof Refusal && error.code === "no_ed25519") throw error;
    throw new Refusal("witness_key");
  }
}

function treeOf(size = "", root = ""): Tree {
  const bytes = base64(root);
  need(bytes.length === 32, "form");
  return { size: integer(Number(size)), root: bytes };
}

/** Reads a checkpoint that one of the keys has signed. Signatures of keys that are not known are passed over. */
export async function readNote(
  value: unknown,
  keys: readonly Bytes[],
  witnesses: readonly Witness[],
): Promise<Checkpoint> {
  const note = text(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: notes have none, by their specification
  need(!/[\0-\x09\x0b-\x1f]/.test(note), "form");
  const end = note.indexOf("\n\n");
  need(end > 0 && note.endsWith("\n"), "form");
  const [, origin = "", size, root, companies, companiesRoot, madeAt = "", milliseconds] =
    LINES.exec(note.slice(0, end)) ?? [];
  need(isInstant(`${milliseconds}Z`), "form");
  const [events, members] = [treeOf(size, root), treeOf(companies, companiesRoot)];

  const body = utf8(note.slice(0, end + 1));
  const known = await Promise.all(keys.map(async (key) => ({ key, keyId: await keyIdOf(origin, LOG, key) })));
  let isSigned = false;
  const cosignatures = new Map<string, Cosignature>();
  for (const line of note.slice(end + 2, -1).split("\n")) {
    const [, name, signature = ""] = /^— ([^ +]+) ([^ ]+)$/.exec(line) ?? [];
    const bytes = base64(signature);
    need(name && bytes.length > KEY_ID, "form");
    const isOf = (keyId: Bytes) => equal(keyId, bytes.slice(0, KEY_ID));
    const own = name === origin ? known.find(({ keyId }) => isOf(keyId)) : undefined;
    const witness = witnesses.find((one) => one.name === name && isOf(one.keyId));
    if (own) {
      await verifyEd25519(own.key, bytes.slice(KEY_ID), body, "signature");
      isSigned = true;
    } else if (witness) {
      cosignatures.set(name, await cosignatureOf(witness, bytes, body));
    }
  }
  need(isSigned, "signature");
  return { origin, events, companies: members, madeAt, witnesses: [...cosignatures.values()] };
}

async function cosignatureOf(witness: Witness, bytes: Bytes, body: Bytes): Promise<Cosignature> {
  need(bytes.length === COSIGNATURE, "cosignature");
  const seconds = Number(new DataView(bytes.buffer).getBigUint64(KEY_ID));
  need(seconds <= SECONDS_MAX, "cosignature");
  const signed = concat(utf8(`cosignature/v1\ntime ${seconds}\n`), body);
  await verifyEd25519(witness.publicKey, bytes.slice(KEY_ID + 8), signed, "cosignature");
  return { name: witness.name, cosignedAt: new Date(seconds * 1000).toISOString() };
}

/** Whether such a day and time exists: 30 February would become another day. */
function isInstant(value: string): boolean {
  const milliseconds = Date.parse(value);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === value && value > "0001";
}
