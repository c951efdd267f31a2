// A QR code as the path of a drawing.
import { encodeQR } from "qr";

/** The quiet zone that readers need, in modules. */
const BORDER = 4;

/** Rows of modules; true is dark. */
export const qrRows = (text: string): boolean[][] => encodeQR(text, "raw", { ecc: "medium", border: BORDER });

/** One path with a square for each dark module; `size` is the number of modules of a side. */
export function qrDrawing(text: string): { size: number; path: string } {
  const rows = qrRows(text);
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size: rows.length, path: squares.join("") };
}
