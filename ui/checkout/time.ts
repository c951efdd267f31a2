// Times as text: countdowns, dates and instants. Small on purpose: the panels' dates need a library.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** A longer time left is taken for a wrong clock, because most PIX codes live for half an hour. */
const SHOWN_SECONDS_MAX = 24 * HOUR;

/** By how much the gateway's clock is ahead of this device's, in milliseconds. */
let ahead = 0;

/** `date`: the header `Date` of an answer. */
export function noteServerTime(date: string | null) {
  const at = Date.parse(date ?? "");
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

export const serverNow = () => Date.now() + ahead;

/** Whole seconds until `end`, 0 from then on; undefined if it is more than a day away. */
export function secondsLeft(end: string, now: number): number | undefined {
  const seconds = Math.ceil((Date.parse(end) - now) / 1000);
  return seconds <= SHOWN_SECONDS_MAX ? Math.max(0, seconds) : undefined;
}

const two = (number: number) => String(number).padStart(2, "0");

/** "29:07", or "1:05:09" from an hour on. */
export function countdown(seconds: number): string {
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  const rest = two(seconds % MINUTE);
  return seconds < HOUR ? `${two(minutes)}:${rest}` : `${Math.floor(seconds / HOUR)}:${two(minutes)}:${rest}`;
}

/** A business date, "2026-11-21", as "21/11/2026". */
export const date = (iso: string) => iso.split("-").reverse().join("/");

const IN_BRAZIL = { timeZone: "America/Sao_Paulo" } as const;

/** "21/11/2026 às 14:05", at Brasília. */
export function instant(iso: string): string {
  const day = new Intl.DateTimeFormat("pt-BR", { ...IN_BRAZIL, dateStyle: "short" }).format(new Date(iso));
  return `${day} às ${timeOfDay(iso)}`;
}

/** "14:05", at Brasília. */
export function timeOfDay(iso: string): string {
  return new Intl.DateTimeFormat("pt-BR", { ...IN_BRAZIL, timeStyle: "short" }).format(new Date(iso));
}

/** The date at Brasília, as "2026-11-21": Sweden writes dates so. */
export function today(now: Date): string {
  return new Intl.DateTimeFormat("sv-SE", IN_BRAZIL).format(now);
}
