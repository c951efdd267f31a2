// The QR code of a PIX. The gateway sends its modules, so the page needs no encoder.

/** The empty border that scanners need around a code, in modules. */
const QUIET_ZONE = 4;
const DIGIT_BITS = 4;

/** One path with a square for each dark module. A digit of a row has four modules, the leftmost in its highest bit. */
export function qrPath(rows: string[]): string {
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < rows.length; x += 1) {
      const digit = Number.parseInt(row[Math.floor(x / DIGIT_BITS)] ?? "0", 16);
      if ((digit >> (DIGIT_BITS - 1 - (x % DIGIT_BITS))) & 1) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  return path;
}

export function QrCode({ rows, label }: { rows: string[]; label: string }) {
  const size = rows.length + 2 * QUIET_ZONE;
  return (
    <svg
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={qrPath(rows)} />
    </svg>
  );
}
