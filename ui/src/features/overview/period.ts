// The period of the seller's home, kept in the address. Without a choice it is the gateway's usual one, the last month.
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo } from "react";
import { BUSINESS_ZONE } from "../../format/dates";
import { isInstant } from "../../format/parts";
import { lastPeriod, PERIOD_OPTIONS, type PeriodOption } from "../../format/periods";

const USUAL: PeriodOption = "1m";

interface PeriodQuery {
  group?: "hour" | "day";
  start?: string;
  end?: string;
}

/** The gateway's query for the period that ends now. Parts of a day are read by hour. */
export function periodQuery(option: PeriodOption, now: Date): PeriodQuery {
  if (option === USUAL) return {};
  const [start, end] = lastPeriod(option, now, BUSINESS_ZONE);
  return { group: isInstant(start) ? "hour" : "day", start, end };
}

export function useOverviewPeriod() {
  const [option, choose] = useQueryState(
    "period",
    parseAsStringLiteral(PERIOD_OPTIONS).withDefault(USUAL).withOptions({ history: "push" }),
  );
  // The period ends at the instant when it was chosen. If it ended now, each render would make another call.
  const query = useMemo(() => periodQuery(option, new Date()), [option]);
  return { option, choose, query };
}
