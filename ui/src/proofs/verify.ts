// Checks the files of docs/proof-format.md in the browser, with WebCrypto and the public keys that the caller trusts.
// Nothing here asks the gateway, so that a page can check what the gateway gave it.
import { ACCOUNTS, type Accounts, noAccounts } from "./accounts";
import { type Bytes, concat, hex, int64, sha256 } from "./bytes";
import { digestOf, eventList, type ProvenEvent, readEvents } from "./events";
import { integer, isObject, type Json, members, parse, parseAny, path, text, uuid } from "./form";
import { checkConsistency, checkInclusion } from "./merkle";
import { type Checkpoint, type Cosignature, readNote, type Witness, witnessOf } from "./note";
import { post, postingsOf } from "./postings";
import { need, Refusal, type RefusalCode } from "./refusal";

interface Shown {
  valid: true;
  /** The installation's name and the shard. */
  origin: string;
  /** The number of the shard's events at the checkpoint. */
  size: number;
  /** When the checkpoint was made: an instant. */
  madeAt: string;
  /** The known witnesses that cosigned it. */
  witnesses: readonly Cosignature[];
}

export interface VerifiedSale extends Shown {
  kind: "sale";
  businessId: string;
  saleId: string;
  events: number;
}

export interface VerifiedPeriod {
  /** Instants; `to` is the first one after the period. */
  from: string;
  to: string;
  opening: Accounts;
  closing: Accounts;
  fees: number;
}

export interface VerifiedCompany extends Shown {
  kind: "company";
  businessId: string;
  events: number;
  accounts: Accounts;
  period: VerifiedPeriod | undefined;
}

export interface VerifiedGrowth extends Shown {
  kind: "growth";
  earlier: { size: number; madeAt: string };
}

export type Verified = VerifiedSale | VerifiedCompany | VerifiedGrowth;

export interface Refused {
  valid: false;
  code: RefusalCode;
  /** The sequence of the event that is wrong, where there is one. */
  event: number | undefined;
}

/** A file as it is read from a disk. Bytes that are no UTF-8 are not replaced, as `File.text` does. */
export async function verifyFile(
  file: Blob,
  keys: readonly string[],
  witnesses: readonly string[],
): Promise<Verified | Refused> {
  const bytes = await file.arrayBuffer();
  let document: string;
  try {
    document = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { valid: false, code: "form", event: undefined };
  }
  return verifyProof(document, keys, witnesses);
}

/** Checks a proof with the public keys (hex) and the witnesses (`name+id+key`) that the caller knows. */
export async function verifyProof(
  document: string,
  keys: readonly string[],
  witnesses: readonly string[],
): Promise<Verified | Refused> {
  try {
    const known = await Promise.all(witnesses.map(witnessOf));
    return await check(parse(document), keys, known);
  } catch (error) {
    if (error instanceof Refusal) return { valid: false, code: error.code, event: error.event };
    // A file that is too large for the browser's memory, or nested too deeply.
    if (error instanceof RangeError) return { valid: false, code: "form", event: undefined };
    throw error;
  }
}

const HEAD = ["format", "kind", "checkpoint", "public_key"] as const;

async function check(
  file: unknown,
  keys: readonly string[],
  witnesses: readonly Witness[],
): Promise<Verified> {
  need(isObject(file) && file.format === "razao proof 1", "form");
  const publicKey = hex(file.public_key, 32);
  need(keys.includes(text(file.public_key)), "unknown_key");
  switch (file.kind) {
    case "sale":
      members(file, [...HEAD, "business_id", "sale_id", "events"]);
      return checkSale(file, await readNote(file.checkpoint, [publicKey], witnesses));
    case "company":
      members(file, [...HEAD, "business_id", "events", "member", "accounts", "period"]);
      return checkCompany(file, await readNote(file.checkpoint, [publicKey], witnesses));
    case "growth": {
      members(file, [...HEAD, "earlier", "path"]);
      const later = await readNote(file.checkpoint, [publicKey], witnesses);
      const known = keys.map((key) => hex(key, 32));
      // The cosignatures of the earlier checkpoint say nothing that those of the later one do not.
      return checkGrowth(file, await readNote(file.earlier, known, []), later);
    }
    default:
      throw new Refusal("form");
  }
}

const shown = ({ origin, events, madeAt, witnesses }: Checkpoint): Shown => ({
  valid: true,
  origin,
  size: events.size,
  madeAt,
  witnesses,
});

/** A company in two shards could have two histories. */
async function companyOf(value: unknown, { origin }: Checkpoint): Promise<Bytes> {
  const business = uuid(value, "biz");
  const [first = 0] = await sha256(business);
  need(origin.endsWith(`/shard/${first % 16}`), "other_shard");
  return business;
}

/**
 * So many events are read at once. A company can have 100,000 of them, and the page must go on answering: between two
 * batches the browser draws and handles input, because the hashes of WebCrypto come from another thread.
 */
const BATCH = 500;

/** Calls `use` for each event in order, with its digest and its payload. */
async function forEachEvent(
  value: unknown,
  { business, withPath, size }: { business: Bytes; withPath: boolean; size: number },
  use: (event: ProvenEvent, digest: Bytes) => void | Promise<void>,
): Promise<number> {
  const list = eventList(value);
  let [sequence, position] = [0, 0];
  for (let start = 0; start < list.length; start += BATCH) {
    const events = readEvents(list, { start, count: BATCH, withPath, business });
    const digests = await Promise.all(events.map(digestOf));
    for (const [at, event] of events.entries()) {
      const isNext = event.sequence > sequence && event.position > position && event.position <= size;
      need(isNext, "order", event.sequence);
      [sequence, position] = [event.sequence, event.position];
      await use(event, digests[at] as Bytes);
    }
  }
  return list.length;
}

async function checkSale(file: Json, checkpoint: Checkpoint): Promise<VerifiedSale> {
  const business = await companyOf(file.business_id, checkpoint);
  uuid(file.sale_id, "sal");
  const tree = checkpoint.events;
  const expected = { business, withPath: true, size: tree.size };
  const events = await forEachEvent(file.events, expected, async (event, digest) => {
    need(hasText(parseAny(event.payload), file.sale_id), "other_sale", event.sequence);
    const index = event.position - 1;
    await checkInclusion(digest, index, tree, event.path ?? [], "not_in_log", event.sequence);
  });
  return {
    ...shown(checkpoint),
    kind: "sale",
    businessId: text(file.business_id),
    saleId: text(file.sale_id),
    events,
  };
}

/** Whether a text is a value somewhere in the payload. Not recursive, because the file may be nested deeply. */
function hasText(payload: unknown, sought: unknown): boolean {
  const open = [payload];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === sought) return true;
    if (typeof value === "object" && value !== null) open.push(...Object.values(value));
  }
  return false;
}

async function checkCompany(file: Json, checkpoint: Checkpoint): Promise<VerifiedCompany> {
  const business = await companyOf(file.business_id, checkpoint);
  const period = file.period === null ? undefined : periodOf(file.period);
  const [accounts, opening, closing] = [noAccounts(), noAccounts(), noAccounts()];
  let chain: Bytes = new Uint8Array(32);
  let last = 0;
  const expected = { business, withPath: false, size: checkpoint.events.size };
  const events = await forEachEvent(file.events, expected, async (event, digest) => {
    last += 1;
    need(event.sequence === last, "order", event.sequence);
    chain = await sha256(concat(chain, digest));
    const postings = postingsOf(event.type, event.version, parseAny(event.payload));
    post(accounts, postings);
    if (period && event.occurredAt < period.from) post(opening, postings);
    if (period && event.occurredAt < period.to) post(closing, postings);
  });

  const member = members(file.member, ["index", "path"]);
  const leaf = concat(business, int64(last), chain);
  const index = integer(member.index, 0);
  await checkInclusion(leaf, index, checkpoint.companies, path(member.path), "other_events");
  need(isSame(file.accounts, accounts), "accounts");
  if (period) {
    need(isSame(period.opening, opening) && isSame(period.closing, closing), "period");
    need(integer(period.fees) === closing.platform_fees - opening.platform_fees, "period");
  }
  return {
    ...shown(checkpoint),
    kind: "company",
    businessId: text(file.business_id),
    events,
    accounts,
    period: period && {
      from: instantOf(period.from),
      to: instantOf(period.to),
      opening,
      closing,
      fees: integer(period.fees),
    },
  };
}

function periodOf(value: unknown) {
  const period = members(value, ["from", "to", "opening", "closing", "fees"]);
  const [from, to] = [integer(period.from), integer(period.to)];
  need(from <= to, "period");
  return { ...period, from, to };
}

const instantOf = (microseconds: number) => new Date(microseconds / 1000).toISOString();

function isSame(value: unknown, accounts: Accounts): boolean {
  const figures = members(value, ACCOUNTS);
  return ACCOUNTS.every((account) => integer(figures[account]) === accounts[account]);
}

async function checkGrowth(file: Json, earlier: Checkpoint, later: Checkpoint): Promise<VerifiedGrowth> {
  need(earlier.origin === later.origin && earlier.events.size <= later.events.size, "other_log");
  await checkConsistency(earlier.events, later.events, path(file.path));
  return {
    ...shown(later),
    kind: "growth",
    earlier: { size: earlier.events.size, madeAt: earlier.madeAt },
  };
}
