// Events in proofs: their form, and the digest by which the log knows them.
import { type Bytes, concat, hex, int64, sha256, utf8 } from "./bytes";
import { integer, list, members, path, text, uuid } from "./form";
import { need } from "./refusal";

const MEMBERS = [
  "sequence",
  "position",
  "event_id",
  "event_type",
  "event_version",
  "recorded_at",
  "occurred_at",
  "key",
  "metadata_sha256",
  "payload",
] as const;

export interface ProvenEvent {
  sequence: number;
  position: number;
  type: string;
  version: string;
  /** Microseconds since 1970. */
  occurredAt: number;
  payload: string;
  /** Undefined in the proof of a company. */
  path: Bytes[] | undefined;
  /** All fields of the digest but the hashes of metadata and payload. */
  header: Bytes;
  metadataHash: Bytes;
}

/** The `count` events from number `start` on, all of this company. */
export function readEvents(
  value: readonly unknown[],
  { start, count, withPath, business }: { start: number; count: number; withPath: boolean; business: Bytes },
): ProvenEvent[] {
  return value.slice(start, start + count).map((one) => readEvent(one, withPath, business));
}

function readEvent(value: unknown, withPath: boolean, business: Bytes): ProvenEvent {
  const event = members<(typeof MEMBERS)[number] | "path">(value, withPath ? [...MEMBERS, "path"] : MEMBERS);
  const sequence = integer(event.sequence);
  const type = text(event.event_type);
  const version = text(event.event_version);
  const occurredAt = integer(event.occurred_at);
  const fields = [
    utf8("2"),
    business,
    int64(sequence),
    uuid(event.event_id, "evt"),
    utf8(type),
    utf8(version),
    int64(integer(event.recorded_at)),
    int64(occurredAt),
    ...keyFields(event.key),
  ];
  return {
    sequence,
    position: integer(event.position),
    type,
    version,
    occurredAt,
    payload: text(event.payload),
    path: withPath ? path(event.path) : undefined,
    header: concat(...fields.flatMap((field) => [length(field), field])),
    metadataHash: hex(event.metadata_sha256, 32),
  };
}

const NONE = new Uint8Array(0);

function keyFields(value: unknown): Bytes[] {
  if (value === null) return [NONE, NONE, NONE];
  const { key, fingerprint, events } = members(value, ["key", "fingerprint", "events"]);
  const count = integer(events, 0, 0x7fff);
  return [hex(key, 16), hex(fingerprint, 16), Uint8Array.of(count >> 8, count & 0xff)];
}

function length(field: Bytes): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, field.length);
  return bytes;
}

export async function digestOf({ header, metadataHash, payload }: ProvenEvent): Promise<Bytes> {
  return sha256(concat(header, metadataHash, await sha256(utf8(payload))));
}

/** The list of a proof's events, which has at least one. */
export function eventList(value: unknown): readonly unknown[] {
  const events = list(value);
  need(events.length > 0, "form");
  return events;
}
