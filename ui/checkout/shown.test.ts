// Tests of the pages' parts: addresses, times, bars, QR codes, bodies of token calls.
import { encodeQR } from "qr";
import decodeQR from "qr/decode.js";
import { expect, it, vi } from "vitest";
import { barsOf, showLine } from "./bars";
import { placeOf } from "./place";
import { qrPath } from "./QrCode";
import { countdown, date, instant, noteServerTime, secondsLeft, serverNow, today } from "./time";
import { tokenBody } from "./tokens";

it("knows its three addresses", () => {
  expect(placeOf("/pl/2f6f4f5a1b0b/")).toEqual({ page: "link", code: "2F6F4F5A1B0B" });
  expect(placeOf("/transacao/7Q2M/status")).toEqual({ page: "order", id: "7Q2M" });
  expect(placeOf("/b/7Q2M")).toEqual({ page: "boleto", id: "7Q2M" });
  for (const other of ["/", "/pl", "/pl/a/b", "/transacao/7Q2M"])
    expect(placeOf(other)).toEqual({ page: "unknown" });
});

it("keeps an id that is not valid percent-encoding as it is", () => {
  expect(placeOf("/b/%E0%A4%A")).toEqual({ page: "boleto", id: "%E0%A4%A" });
});

it("counts down to zero, and shows nothing if more than a day is left", () => {
  const now = Date.parse("2026-11-21T15:00:00Z");
  expect(secondsLeft("2026-11-21T15:29:07Z", now)).toBe(29 * 60 + 7);
  expect(secondsLeft("2026-11-21T14:59:59Z", now)).toBe(0);
  expect(secondsLeft("2026-11-23T15:00:00Z", now)).toBeUndefined();
  expect([countdown(1747), countdown(3909)]).toEqual(["29:07", "1:05:09"]);
});

it("counts by the gateway's clock", () => {
  vi.useFakeTimers({ now: Date.parse("2031-01-02T03:04:05Z") });
  noteServerTime("Sat, 21 Nov 2026 15:00:00 GMT");
  noteServerTime(null);
  vi.advanceTimersByTime(60_000);
  expect(secondsLeft("2026-11-21T15:30:00Z", serverNow())).toBe(29 * 60);
  // The next test has no offset to the gateway's clock.
  noteServerTime(new Date().toUTCString());
  vi.useRealTimers();
});

it("shows dates of Brasília", () => {
  expect(date("2026-11-26")).toBe("26/11/2026");
  expect(instant("2026-11-22T02:05:00Z")).toBe("21/11/2026 às 23:05");
  expect(today(new Date("2026-11-22T02:00:00Z"))).toBe("2026-11-21");
});

/** Reads the digits back from the widths of bars and spaces. */
function readBars(digits: string): string {
  const { bars } = barsOf(digits) ?? { bars: [] };
  const edges = bars.flatMap(({ x, width }, at) => {
    const next = bars[at + 1];
    return next ? [width, next.x - x - width] : [width];
  });
  const pairs = edges.slice(4, -3).map((width) => (width > 1 ? 1 : 0));
  // Two of a digit's five bars are wide. Their weights add up to the digit, or to 11 for zero.
  const weights = [1, 2, 4, 7, 0];
  let text = "";
  for (let at = 0; at < pairs.length; at += 10) {
    for (const offset of [0, 1]) {
      const sum = weights.reduce(
        (total, weight, place) => total + weight * (pairs[at + place * 2 + offset] ?? 0),
        0,
      );
      text += sum === 11 ? "0" : String(sum);
    }
  }
  return text;
}

it("draws bars that are read back", () => {
  const digits = "00193373700000001000500940144816060680935031";
  expect(readBars(digits)).toBe(digits);
  expect(barsOf("123")).toBeUndefined();
  expect(showLine("00190500954014481606906809350314337370000000100")).toBe(
    "00190.50095 40144.816069 06809.350314 3 37370000000100",
  );
});

/** The rows as the gateway sends them. */
function hexRows(text: string): string[] {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 1 });
  return rows.slice(1, -1).map((row) => {
    const dark = row.slice(1, -1);
    const bits = dark.map((isDark) => (isDark ? "1" : "0")).join("");
    return bits.replace(/.{1,4}/g, (four) => Number.parseInt(four.padEnd(4, "0"), 2).toString(16));
  });
}

it("draws a QR code that is read back", () => {
  const text = "00020101021226950014br.gov.bcb.pix2573pix.example.com/qr/v2/9d36b84f-c70b-478f";
  const rows = hexRows(text);
  const scale = 4;
  const quietZone = 4;
  const width = (rows.length + 2 * quietZone) * scale;
  const dark = new Set(qrPath(rows).match(/\d+ \d+(?=h)/g));
  const data = new Uint8Array(width * width * 3).map((_, index) => {
    const pixel = Math.floor(index / 3);
    const x = Math.floor((pixel % width) / scale) - quietZone;
    const y = Math.floor(pixel / width / scale) - quietZone;
    return dark.has(`${x} ${y}`) ? 0 : 255;
  });
  expect(decodeQR({ width, height: width, data })).toBe(text);
});

it("builds the body of a token call in each format, and none for an unknown format", () => {
  const card = {
    number: "4242424242424242",
    holder: "MARINA S COSTA",
    month: 8,
    year: 2029,
    securityCode: "123",
  };
  const tokens = {
    format: "iugu",
    url: "https://api.iugu.com/v1/payment_token",
    account_id: "ACC",
    test: true,
  };
  expect(tokenBody(tokens, card)).toEqual({
    account_id: "ACC",
    method: "credit_card",
    test: true,
    data: {
      number: "4242424242424242",
      verification_value: "123",
      first_name: "MARINA",
      last_name: "S COSTA",
      month: "08",
      year: "2029",
    },
  });
  expect(tokenBody({ ...tokens, format: "sandbox" }, card)).toEqual({
    number: "4242424242424242",
    holder: "MARINA S COSTA",
    month: "08",
    year: "2029",
    security_code: "123",
  });
  expect(tokenBody({ ...tokens, format: "other" }, card)).toBeUndefined();
});
