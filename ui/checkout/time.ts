// Times as text: countdowns, dates and instants. Small on purpose: the panels' dates need a library.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** A longer rest comes from a wrong clock, because PIX codes live for minutes. */
const SHOWN_SECONDS_MAX = 24 * HOUR;

/** Whole seconds until `end`; undefined if it has passed, or if the clock of this phone must be wrong. */
export function secondsLeft(end: string, now: number): number | undefined {
  const seconds = Math.ceil((Date.parse(end) - now) / 1000);
  return seconds > 0 && seconds <= SHOWN_SECONDS_MAX ? seconds : undefined;
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

/** "21/11/2026, 14:05", at Brasília. */
export function instant(iso: string): string {
  return new Intl.DateTimeFormat("pt-BR", { ...IN_BRAZIL, dateStyle: "short", timeStyle: "short" }).format(
    new Date(iso),
  );
}

/** "14:05", at Brasília. */
export function timeOfDay(iso: string): string {
  return new Intl.DateTimeFormat("pt-BR", { ...IN_BRAZIL, timeStyle: "short" }).format(new Date(iso));
}

/** The date at Brasília, as "2026-11-21". */
export function today(now: Date): string {
  return new Intl.DateTimeFormat("sv-SE", IN_BRAZIL).format(now);
}
