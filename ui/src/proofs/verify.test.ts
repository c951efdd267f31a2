import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type Log, logOf, SALE, signer, vkeyOf } from "./proofMaker";
import type { RefusalCode } from "./refusal";
import { type Refused, type VerifiedCompany, verifyFile, verifyProof } from "./verify";

const FIXTURES = join(import.meta.dirname, "../../../fixtures/proofs");

interface Entry {
  file: string;
  valid: boolean;
  reason: string;
  keys: string[];
  witnesses: string[];
}

const index: Entry[] = JSON.parse(readFileSync(join(FIXTURES, "index.json"), "utf8"));

describe("the files of fixtures/proofs", () => {
  it.each(index)("$file: $reason", async ({ file, valid, keys, witnesses }) => {
    const answer = await verifyFile(new Blob([readFileSync(join(FIXTURES, file))]), keys, witnesses);
    expect(answer).toMatchObject({ valid });
  });

  it("are all in the index, valid and invalid ones", () => {
    const files = readdirSync(FIXTURES).filter((file) => file !== "index.json" && file.endsWith(".json"));
    expect(files.toSorted()).toEqual([...new Set(index.map(({ file }) => file))].toSorted());
    expect(new Set(index.map(({ valid }) => valid)).size).toBe(2);
  });
});

const SALE_EVENTS = [
  { type: "SaleCaptured", e: { sale: { sale_id: SALE }, net: 970, fees: { flat_fee: 30 } } },
  { type: "SaleNamed", e: { sale_id: SALE, names: { nsu: "São João 😀" } } },
  { type: "SalePartRefunded", e: { sale_id: SALE, amount: 100, net: 97, consumed: [{ net: 97 }] } },
];
const BALANCES = { receivable: 873, platform_fees: 27, clearing: -900 };

const verify = (log: Log, proof: object, witnesses: string[] = []) =>
  verifyProof(JSON.stringify(proof), log.keys, witnesses);

async function expectRefusal(log: Log, proof: object, code: RefusalCode, event?: number) {
  expect(await verify(log, proof)).toEqual({ valid: false, code, event } satisfies Refused);
}

describe("a company's proof", () => {
  it("shows the balances that follow from all its events", async () => {
    const log = await logOf(SALE_EVENTS);
    const answer = await verify(log, await log.company(BALANCES));
    expect(answer).toMatchObject({
      valid: true,
      kind: "company",
      size: 3,
      events: 3,
      madeAt: "2026-11-24T03:00:00.123456Z",
      witnesses: [],
      accounts: BALANCES,
      period: undefined,
    });
  });

  it("shows the figures of a period by when events occurred", async () => {
    const log = await logOf([
      { type: "ManualTransferMade", e: { direction: "in", amount: 500 }, occurredAt: 3_000_000 },
      { type: "TerminalRentalCharged", e: { amount: 120 }, occurredAt: 1_000_000 },
      { type: "TerminalRentalCharged", e: { amount: 7 }, occurredAt: 2_000_000 },
    ]);
    const proof = await log.company({ available: 373, platform_fees: 127, clearing: -500 });
    const zero = {
      receivable: 0,
      available: 0,
      in_transfer: 0,
      held_by_staff: 0,
      in_dispute: 0,
      clearing: 0,
    };
    const period = {
      from: 2_000_000,
      to: 3_000_000,
      opening: { ...zero, available: -120, platform_fees: 120 },
      closing: { ...zero, available: -127, platform_fees: 127 },
      fees: 7,
    };
    const answer = (await verify(log, { ...proof, period })) as VerifiedCompany;
    expect(answer.period).toEqual({
      ...period,
      from: "1970-01-01T00:00:02.000Z",
      to: "1970-01-01T00:00:03.000Z",
    });
    await expectRefusal(log, { ...proof, period: { ...period, fees: 8 } }, "period");
    await expectRefusal(log, { ...proof, period: { ...period, to: 3_000_001 } }, "period");
    await expectRefusal(log, { ...proof, period: { ...period, from: 3_000_001 } }, "period");
    const nothing = { opening: period.opening, closing: period.opening, fees: 0 };
    const backwards = { from: 1_000_002, to: 1_000_001, ...nothing };
    await expectRefusal(log, { ...proof, period: backwards }, "period");
  });

  it("is refused with the log of another shard", async () => {
    const log = await logOf(SALE_EVENTS, { shardsFurther: 1 });
    await expectRefusal(log, await log.company(BALANCES), "other_shard");
  });

  it("is refused with a number or a text that only looks like the recorded one in bytes", async () => {
    const log = await logOf([{ type: "HoldChanged", e: { reason: "\ufffd" } }]);
    const proof = await log.company({});
    const [event] = proof.events as { key: object; payload: string }[];
    const key = { ...event?.key, events: 1 + 0x1_0000 };
    await expectRefusal(log, { ...proof, events: [{ ...event, key }] }, "form");
    const payload = event?.payload.replace("\ufffd", "\ud800");
    await expectRefusal(log, { ...proof, events: [{ ...event, payload }] }, "form");
  });

  it("is refused if an event is left out, changed or out of order", async () => {
    const log = await logOf(SALE_EVENTS);
    const proof = await log.company(BALANCES);
    const [first, second, third] = proof.events as { payload: string }[];
    await expectRefusal(log, { ...proof, events: [first, second] }, "other_events");
    await expectRefusal(log, { ...proof, events: [first, third] }, "order", 3);
    await expectRefusal(log, { ...proof, events: [second, first, third] }, "order", 2);
    const changed = { ...first, payload: first?.payload.replace("970", "971") };
    await expectRefusal(log, { ...proof, events: [changed, second, third] }, "other_events");
  });

  it("is refused if its balances are not those of its events", async () => {
    const log = await logOf(SALE_EVENTS);
    await expectRefusal(log, await log.company({ ...BALANCES, receivable: 874 }), "accounts");
  });

  it("is refused with members that are unknown or missing", async () => {
    const log = await logOf(SALE_EVENTS);
    const proof = await log.company(BALANCES);
    const { period: _, ...rest } = proof;
    await expectRefusal(log, rest, "form");
    await expectRefusal(log, { ...proof, note: "" }, "form");
  });

  it("is refused with an event whose postings are not known", async () => {
    const log = await logOf([{ type: "SaleCaptured", version: "2.0", e: {} }]);
    await expectRefusal(log, await log.company({}), "unknown_event");
    const inherited = await logOf([{ type: "constructor", e: {} }]);
    await expectRefusal(inherited, await inherited.company({}), "unknown_event");
  });

  it("is refused with amounts that a number does not hold exactly", async () => {
    const log = await logOf([
      { type: "DisputeWon", e: {}, payload: '{"DisputeWon":{"amount":9007199254740993}}' },
    ]);
    await expectRefusal(log, await log.company({}), "form");
  });

  it("is checked in batches, between which the page goes on", async () => {
    const log = await logOf(
      Array.from({ length: 1_200 }, () => ({ type: "TerminalRentalCharged", e: { amount: 1 } })),
    );
    const proof = await log.company({ available: -1_200, platform_fees: 1_200 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    expect(await verify(log, proof)).toMatchObject({ valid: true, events: 1_200 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

describe("a sale's proof", () => {
  it("shows that its events are in the log", async () => {
    const log = await logOf(SALE_EVENTS);
    const answer = await verify(log, await log.sale());
    expect(answer).toMatchObject({ valid: true, kind: "sale", saleId: SALE, events: 3 });
  });

  it("is refused with an event of another sale, or one that the log does not have", async () => {
    const other = await logOf([{ type: "SaleNamed", e: { sale_id: SALE.replace("a", "b") } }]);
    await expectRefusal(other, await other.sale(), "other_sale", 1);
    const log = await logOf(SALE_EVENTS);
    const proof = await log.sale();
    const [first, ...rest] = proof.events as { path: string[]; occurred_at: number }[];
    const later = { ...first, occurred_at: (first?.occurred_at ?? 0) + 1 };
    await expectRefusal(log, { ...proof, events: [later, ...rest] }, "not_in_log", 1);
    const shorter = { ...first, path: first?.path.slice(1) };
    await expectRefusal(log, { ...proof, events: [shorter, ...rest] }, "not_in_log", 1);
  });
});

describe("a proof of growth", () => {
  it.each([1, 2, 3, 4, 5, 6, 7])("is valid from size %i to 7", async (from) => {
    const log = await logOf(Array.from({ length: 7 }, () => ({ type: "HoldChanged", e: {} })));
    const answer = await verify(log, await log.growth(from));
    expect(answer).toMatchObject({ valid: true, kind: "growth", size: 7, earlier: { size: from } });
  });

  it("is refused if the log was rewritten, or is the earlier one", async () => {
    const events = Array.from({ length: 5 }, () => ({ type: "HoldChanged", e: {} }));
    const log = await logOf(events);
    const proof = await log.growth(3);
    await expectRefusal(log, { ...proof, path: (proof.path as string[]).slice(1) }, "rewritten");
    await expectRefusal(log, { ...proof, path: (proof.path as string[]).toReversed() }, "rewritten");
    await expectRefusal(log, { ...proof, checkpoint: await log.note(2) }, "other_log");
    const forked = await logOf([{ type: "SaleNamed", e: {} }, ...events.slice(1)]);
    const keys = [...log.keys, ...forked.keys];
    const mixed = JSON.stringify({ ...proof, earlier: await forked.note(3) });
    expect(await verifyProof(mixed, keys, [])).toMatchObject({ valid: false, code: "rewritten" });
  });
});

describe("a checkpoint", () => {
  const name = "witness.example.org";

  it("counts the cosignatures of known witnesses", async () => {
    const log = await logOf(SALE_EVENTS);
    const witness = { name, key: await signer(), seconds: 1_795_000_000 };
    const proof = { ...(await log.company(BALANCES)), checkpoint: await log.note(3, witness) };
    const cosigned = [{ name, cosignedAt: "2026-11-18T11:06:40.000Z" }];
    expect(await verify(log, proof, [await vkeyOf(name, witness.key)])).toMatchObject({
      witnesses: cosigned,
    });
    expect(await verify(log, proof)).toMatchObject({ valid: true, witnesses: [] });
    const stranger = await vkeyOf(name, await signer());
    expect(await verify(log, proof, [stranger])).toMatchObject({ valid: true, witnesses: [] });
  });

  it("is refused with a forged cosignature", async () => {
    const log = await logOf(SALE_EVENTS);
    const key = await signer();
    const forger = { publicKey: key.publicKey, sign: (await signer()).sign };
    const checkpoint = await log.note(3, { name, key: forger, seconds: 1 });
    const answer = await verify(log, { ...(await log.company(BALANCES)), checkpoint }, [
      await vkeyOf(name, key),
    ]);
    expect(answer).toMatchObject({ valid: false, code: "cosignature" });
  });

  it("is refused if it is changed, or signed with a key that is not known", async () => {
    const log = await logOf(SALE_EVENTS);
    const proof = await log.company(BALANCES);
    const checkpoint = (proof.checkpoint as string).replace("03:00:00", "04:00:00");
    await expectRefusal(log, { ...proof, checkpoint }, "signature");
    const other = await logOf(SALE_EVENTS);
    await expectRefusal(other, proof, "unknown_key");
  });

  it("passes over signatures of others, and needs its own", async () => {
    const log = await logOf(SALE_EVENTS);
    const proof = await log.company(BALANCES);
    const checkpoint = proof.checkpoint as string;
    const foreign = { ...proof, checkpoint: `${checkpoint}— other.example AAAAAAA=\n` };
    expect(await verify(log, foreign)).toMatchObject({ valid: true });
    const unsigned = checkpoint.replace(/\n— .*\n$/, "\n— other.example AAAAAAA=\n");
    await expectRefusal(log, { ...proof, checkpoint: unsigned }, "signature");
    const unusedBits = `${checkpoint}— other.example AAAAAAB=\n`;
    await expectRefusal(log, { ...proof, checkpoint: unusedBits }, "form");
  });

  it.each(["2026-02-30T03:00:00.000000Z", "2026-02-20T24:00:00.000000Z", "0000-02-20T03:00:00.000000Z"])(
    "is refused with the instant %s, which does not exist",
    async (madeAt) => {
      const log = await logOf(SALE_EVENTS, { madeAt });
      await expectRefusal(log, await log.company(BALANCES), "form");
    },
  );

  it("is refused with a cosignature of a time that has no text", async () => {
    const log = await logOf(SALE_EVENTS);
    const witness = { name, key: await signer(), seconds: 253_402_300_800 };
    const proof = { ...(await log.company(BALANCES)), checkpoint: await log.note(3, witness) };
    const answer = await verify(log, proof, [await vkeyOf(name, witness.key)]);
    expect(answer).toMatchObject({ valid: false, code: "cosignature" });
  });
});

it("refuses a witness that is not written as one", async () => {
  const log = await logOf(SALE_EVENTS);
  const vkey = await vkeyOf("witness.example.org", await signer());
  for (const wrong of ["", "witness", vkey.replace("witness", "other"), vkey.slice(0, -4)]) {
    const answer = await verify(log, await log.company(BALANCES), [wrong]);
    expect(answer).toMatchObject({ valid: false, code: "witness_key" });
  }
});

it.each(["", "null", "[]", "{", '{"format":"razao proof 2"}', "[".repeat(100_000), "7.0"])(
  "refuses a document that is no proof: %#",
  async (document) => {
    expect(await verifyProof(document, [], [])).toMatchObject({ valid: false, code: "form" });
  },
);

it("refuses integers that are written as fractions", async () => {
  const log = await logOf(SALE_EVENTS);
  const document = JSON.stringify(await log.company(BALANCES)).replace('"index":0', '"index":0.0');
  expect(await verifyProof(document, log.keys, [])).toMatchObject({ valid: false, code: "form" });
});

it("refuses a file that is not UTF-8", async () => {
  const log = await logOf([{ type: "HoldChanged", e: { reason: "retenção" } }]);
  const document = JSON.stringify(await log.company({}));
  const bytes = new TextEncoder().encode(document);
  bytes[bytes.indexOf(0xc3)] = 0xff;
  expect(await verifyFile(new Blob([bytes]), log.keys, [])).toMatchObject({ valid: false, code: "form" });
  expect(await verifyFile(new Blob(["\ufeff", document]), log.keys, [])).toMatchObject({ valid: false });
  expect(await verifyFile(new Blob([document]), log.keys, [])).toMatchObject({ valid: true });
});

it("says that a browser has no Ed25519", async () => {
  const log = await logOf(SALE_EVENTS);
  const proof = await log.company(BALANCES);
  const { subtle } = globalThis.crypto;
  const importKey = async () => {
    throw new DOMException("", "NotSupportedError");
  };
  vi.stubGlobal("crypto", { subtle: { digest: subtle.digest.bind(subtle), importKey } });
  await expectRefusal(log, proof, "no_ed25519");
  vi.stubGlobal("crypto", {});
  await expectRefusal(log, proof, "no_ed25519");
});
