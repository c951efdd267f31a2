// An instant in the zone that the reader chose, with the weekday for who asks.
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
