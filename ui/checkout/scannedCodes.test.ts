// The bars of a boleto and the QR code of a PIX, read back from the drawing.
import { encodeQR } from "qr";
import decodeQR from "qr/decode.js";
import { expect, it } from "vitest";
import { barsOf, showLine } from "./bars";
import { qrPath } from "./QrCode";

/** Reads the digits back from the widths of bars and spaces. */
function readBars(digits: string): string {
  const { bars } = barsOf(digits) ?? { bars: [] };
  const edges = bars.flatMap(({ x, width }, at) => {
    const next = bars[at + 1];
    return next ? [width, next.x - x - width] : [width];
  });
  expect([edges.slice(0, 4), edges.slice(-3)], "start and stop").toEqual([
    [1, 1, 1, 1],
    [3, 1, 1],
  ]);
  const pairs = edges.slice(4, -3).map((width) => (width > 1 ? 1 : 0));
  // Two of a digit's five bars or spaces are wide. Their weights add up to the digit, or to 11 for zero.
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
