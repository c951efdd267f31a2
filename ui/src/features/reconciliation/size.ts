// The size of a file in words: "12,5 MB". As in file managers, 1 MB is 1024 KB.
const SIZE = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 1 });
const UNITS = ["B", "KB", "MB", "GB"] as const;

export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  return `${SIZE.format(bytes / 1024 ** power)} ${UNITS[power]}`;
}
