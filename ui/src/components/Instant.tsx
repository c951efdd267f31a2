// An instant in the reader's time zone, optionally with the weekday.
import { useTimeZone } from "../api/session";
import { instant, instantWithWeekday } from "../format/dates";

export function Instant({ at, weekday = false }: { at: string; weekday?: boolean }) {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={instantWithWeekday(at, zone)}>
      {weekday ? instantWithWeekday(at, zone) : instant(at, zone)}
    </time>
  );
}
