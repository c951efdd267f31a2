// The QR code of a PIX. The encoder is a chunk of its own, loaded with this component.
import { qrDrawing } from "../src/format/qr";

export interface QrCodeProps {
  text: string;
  label: string;
}

export default function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = qrDrawing(text);
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
