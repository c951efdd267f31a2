// The filters of the lists of transfers, and the gateway's query of them.
import type { Period } from "../../components/DateRange";
import { choice, company, periodIn, search } from "../../components/table/filters";
import type { TimeZone } from "../../format/dates";
import { statusStrings } from "../../strings/pt-BR.status";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.queue;
const { transfers } = withdrawalsStrings;

export const FILTERS = {
  status: choice(transfers.status, transfers.all, statusStrings.transferStatus),
  period: periodIn(),
  /** The whole name of the payment, as a receipt or a bank shows it. */
  name: search(transfers.name, transfers.nameHint, { isWide: true }),
};

export const QUEUE_FILTERS = {
  status: FILTERS.status,
  business: company(words.business, words.allFeminine),
  /** Withdrawals to a destination that changed lately. */
  destination: choice(words.destination, words.allFeminine, words.destinations),
  period: FILTERS.period,
  name: FILTERS.name,
};

/** The days of a period are those of the zone in which dates are shown. */
export const zonedQuery = (period: Period | null, zone: TimeZone) =>
  period ? { ...period, time_zone: zone } : {};

export const nameQuery = (name: string) => ({ ...(name && { name }) });

export const statusQuery = (status: string | null) => ({ ...(status && { status: Number(status) }) });
