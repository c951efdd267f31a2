// The size of a file in words: "12,5 MB". 1 MB is 1024 KB.
const SIZE = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 1 });
const UNITS = ["B", "KB", "MB", "GB"] as const;

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // Compared as it is shown: 1023,96 KB would be "1.024 KB".
  while (unit < UNITS.length - 1 && Math.round(size * 10) / 10 >= 1024) {
    size /= 1024;
    unit += 1;
  }
  return `${SIZE.format(size)} ${UNITS[unit]}`;
}
