// A QR code as a drawing. The encoder is a chunk of its own, loaded with this component.
import styles from "./Links.module.css";
import { qrRows } from "./qr";

/** One path with a square for each dark module. */
function drawing(text: string): { size: number; path: string } {
  const rows = qrRows(text);
  const squares = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")));
  return { size: rows.length, path: squares.join("") };
}

export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawing(text);
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
