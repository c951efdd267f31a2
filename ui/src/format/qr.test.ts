import decodeQR from "qr/decode.js";
import { expect, it } from "vitest";
import { qrRows } from "./qr";

it("is read back by a decoder", () => {
  const address = "https://loja.example/pl/0123456789AB";
  const rows = qrRows(address);
  const scale = 4;
  const size = rows.length * scale;
  const data = new Uint8Array(size * size * 3).map((_, index) => {
    const pixel = Math.floor(index / 3);
    const row = rows[Math.floor(Math.floor(pixel / size) / scale)];
    return row?.[Math.floor((pixel % size) / scale)] ? 0 : 255;
  });
  expect(decodeQR({ width: size, height: size, data })).toBe(address);
});
