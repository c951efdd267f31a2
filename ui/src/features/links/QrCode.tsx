// A QR code as a drawing. The encoder is a separate chunk, which is loaded with this component.
import { qrDrawing } from "../../format/qr";
import styles from "./Links.module.css";

export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrDrawing(text);
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
