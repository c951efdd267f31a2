// Measures the scripts that a buyer's page loads, and reads the QR code that it draws.
import { gzipSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import decodeQR from "qr/decode.js";

/** The limit of all scripts of a buyer's page together, gzipped. */
const KB_MAX = 90;

/**
 * Counts the scripts that the page loads, each once, with their gzipped size. The returned function checks that they
 * are within the limit.
 */
export function countScripts(page: Page): () => Promise<void> {
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    const url = response.url();
    if (!/\/assets\/.*\.js$/.test(url) || sizes.has(url)) return;
    sizes.set(
      url,
      response.body().then((body) => gzipSync(body).length),
    );
  });
  return async () => {
    const loaded = await Promise.all(sizes.values());
    const kb = loaded.reduce((sum, size) => sum + size, 0) / 1000;
    expect(kb, "kB of JavaScript").toBeGreaterThan(0);
    expect(kb, "kB of JavaScript").toBeLessThanOrEqual(KB_MAX);
  };
}

/** The text of the QR code that the page draws. */
export async function readQrCode(page: Page): Promise<string> {
  const drawing = page.getByRole("img", { name: "QR Code do PIX" });
  const [left = 0, top = 0, side = 0] = (await drawing.getAttribute("viewBox"))?.split(" ").map(Number) ?? [];
  const path = (await drawing.locator("path").getAttribute("d")) ?? "";
  const dark = new Set(path.match(/\d+ \d+(?=h1v1h-1z)/g));
  const scale = 4;
  const width = side * scale;
  const data = new Uint8Array(width * width * 3).map((_, index) => {
    const pixel = Math.floor(index / 3);
    const x = Math.floor((pixel % width) / scale) + left;
    const y = Math.floor(pixel / width / scale) + top;
    return dark.has(`${x} ${y}`) ? 0 : 255;
  });
  return decodeQR({ width, height: width, data });
}
