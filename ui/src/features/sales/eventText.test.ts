import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { money } from "../../format/money";
import { disputeCodeText, eventDetails, eventTitle, OWN_DISPUTE } from "./eventText";

it("takes the title of an event from its label, but has a separate one for a confirmed dispute", () => {
  expect(eventTitle({ type: "SaleDisputed", label: "disputed" })).toBe("Contestado");
  expect(eventTitle({ type: "DisputeConfirmed", label: "disputed" })).toBe(
    "Contestação confirmada pela adquirente",
  );
  expect(eventTitle({ type: "DisputeWon", label: "dispute_won" })).toBe("Contestação ganha");
  expect(eventTitle({ type: "SaleChargedBack", label: "charged_back" })).toBe("Chargeback");
  expect(eventTitle({ type: "SaleCanceled", label: "canceled" })).toBe("Cancelado");
  expect(eventTitle({ type: "SaleCanceled", label: "reversal" })).toBe("Estornado");
});

it("shows the acquirer's dispute code, and no internal id", () => {
  expect(disputeCodeText("dp_1")).toBe("Contestação dp_1");
  expect(disputeCodeText(`${OWN_DISPUTE}0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04`)).toBeUndefined();
  expect(disputeCodeText(null)).toBeUndefined();
});

it("recognizes our own dispute ids by the gateway's prefix", () => {
  const gateway = join(import.meta.dirname, "../../../../gateway/http/src/reversals/reversal.rs");
  expect(readFileSync(gateway, "utf8")).toContain(`format!("${OWN_DISPUTE}{}", state.ids.new_uuid())`);
});

const EVENT = {
  reserved: null,
  author: { kind: "acquirer", name: "ZOOP" },
  reason: null,
  dispute_id: null,
  names: null,
} as const;

it("names the author, and the reason and the dispute if they are known", () => {
  expect(eventDetails({ ...EVENT, reason: "fraude", dispute_id: "dp_1" })).toEqual([
    "Por: ZOOP",
    "Motivo: fraude",
    "Contestação dp_1",
  ]);
  const seller = { kind: "seller", name: "Ana Souza" } as const;
  expect(eventDetails({ ...EVENT, author: seller, reason: "" })).toEqual(["Por: Ana Souza"]);
});

it("says what of a settlement is in the reserve", () => {
  const reserved = eventDetails({ ...EVENT, reserved: 950 });
  expect(reserved).toEqual(["Por: ZOOP", `${money(950)} ficaram na reserva`]);
});
