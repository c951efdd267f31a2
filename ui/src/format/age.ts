// How long something has been waiting: in minutes, in hours up to two days, then in days.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "menos de 1 min", "12 min", "3 h", "2 dias" */
export function age(seconds: number): string {
  if (seconds < MINUTE) return "menos de 1 min";
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  // Up to two days the hours tell more: "30 h" and not "1 dia".
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  return `${Math.floor(seconds / DAY)} dias`;
}
