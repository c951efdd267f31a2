// The input of a period, both ends included: days of a zone, or two instants. The calendar loads separately, because it
// is large. A skeleton of the same size keeps its place.
import { Input, Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useTimeZone } from "../api/session";
import type { TimeZone } from "../format/dates";
import { zoneName } from "../format/timeZones";
import { periodStrings } from "../strings/pt-BR.period";

export interface Period {
  start: string;
  end: string;
}

export type Preset = [label: string, range: [start: string, end: string]];

export interface DateRangeProps {
  value: Period | null;
  onChange: (period: Period | null) => void;
  /** The presets next to the calendar; by default, past periods. */
  presets?: (now: Date, zone: TimeZone) => Preset[];
  /** The zone of the days; by default the reader's. */
  zone?: TimeZone;
  /** The text while no period is chosen. */
  placeholder?: string;
  /** Why the gateway refused the period. */
  error?: string | undefined;
}

const DateRangeInput = lazy(() => import("./DateRangeInput"));

export function DateRange(props: DateRangeProps) {
  const own = useTimeZone();
  const skeleton = (
    <Input.Wrapper label={periodStrings.period.labelIn(zoneName(props.zone ?? own))} size="sm" data-wide>
      <Skeleton height={36} />
    </Input.Wrapper>
  );
  return (
    <Suspense fallback={skeleton}>
      <DateRangeInput {...props} />
    </Suspense>
  );
}
