// The modules of a QR code.
import { encodeQR } from "qr";

/** The quiet zone that readers need, in modules. */
const BORDER = 4;

/** Rows of modules; true is dark. */
export const qrRows = (text: string): boolean[][] => encodeQR(text, "raw", { ecc: "medium", border: BORDER });
