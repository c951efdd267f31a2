// The period of the seller's home, which is kept in the address, and the read of the home's data. Without a choice the
// period is the gateway's usual one, the last 30 days.
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApi } from "../../api/hooks";
import { businessNow } from "../../api/serverClock";
import { BUSINESS_ZONE, businessToday } from "../../format/dates";
import { isInstant } from "../../format/parts";
import { lastPeriod, PERIOD_OPTIONS, type PeriodOption } from "../../format/periods";

const USUAL: PeriodOption = "1m";
const MINUTE_MS = 60_000;

interface PeriodQuery {
  group?: "hour" | "day";
  start?: string;
  end?: string;
}

export interface OverviewPeriod {
  option: PeriodOption;
  query: PeriodQuery;
}

/** The gateway's query for the period that ends now. Parts of a day are read by hour. */
export function periodQuery(option: PeriodOption, now: Date): PeriodQuery {
  if (option === USUAL) return {};
  const [start, end] = lastPeriod(option, now, BUSINESS_ZONE);
  return { group: isInstant(start) ? "hour" : "day", start, end };
}

/** The period that ends now; `before` if the gateway's query for it is the same. */
export function renewed(before: OverviewPeriod, now: Date): OverviewPeriod {
  const query = periodQuery(before.option, now);
  return query.start === before.query.start && query.end === before.query.end ? before : { ...before, query };
}

/** The home's data, and the choice of its period. A period of hours ends at the last choice or refresh. */
export function useOverview(businessId: string) {
  const [option, choose] = useQueryState(
    "period",
    parseAsStringLiteral(PERIOD_OPTIONS).withDefault(USUAL).withOptions({ history: "push" }),
  );
  // Kept between renders: if the period ended now, each render would make another call.
  const [period, setPeriod] = useState<OverviewPeriod>(() => ({
    option,
    query: periodQuery(option, businessNow()),
  }));
  if (period.option !== option) setPeriod({ option, query: periodQuery(option, businessNow()) });
  const read = useApi("/overview", { query: { business_id: businessId, ...period.query } });
  const refresh = () => {
    const next = renewed(period, businessNow());
    // Another query is read at once. The same query must be read again.
    if (next === period) void read.mutate();
    else setPeriod(next);
  };
  useNewDay(refresh);
  return { option, choose, read, refresh };
}

/** Calls `onNewDay` when a business day begins while the page is open. */
function useNewDay(onNewDay: () => void) {
  const day = useRef(businessToday(businessNow()));
  const check = useEffectEvent(() => {
    const today = businessToday(businessNow());
    if (today === day.current) return;
    day.current = today;
    onNewDay();
  });
  useEffect(() => {
    const timer = setInterval(check, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
}
