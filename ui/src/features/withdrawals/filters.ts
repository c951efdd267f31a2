// The filters of the lists of transfers, and the gateway's query of them.
import { parseAsStringLiteral } from "nuqs";
import type { Period } from "../../components/DateRange";
import { choice, company, type Filter, periodIn, search, single } from "../../components/table/filters";
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

export const STAGES = ["pending", "in_progress", "ended", "other", "all"] as const;
export type Stage = (typeof STAGES)[number];

/** A tab above the list, and no field beside the others. */
const stage: Filter<Stage | null> = {
  ...single<Stage | null>(parseAsStringLiteral(STAGES), () => null),
  restricts: () => false,
  stays: true,
};

/** The stage of the address. An address with a status and without a stage lists every transfer of that status. */
export const stageOf = ({ stage, status }: { stage: Stage | null; status: string | null }): Stage =>
  stage ?? (status === null ? "pending" : "all");

/** The filters that restrict the lists of a stage: only two of them have transfers of several statuses. */
export function queueFiltersOf(stage: Stage): readonly (keyof typeof QUEUE_FILTERS)[] {
  const hasStatuses = stage === "ended" || stage === "all";
  const hasDestinations = stage !== "other";
  return [
    "stage",
    ...(hasStatuses ? (["status"] as const) : []),
    "business",
    ...(hasDestinations ? (["destination"] as const) : []),
    "period",
    "name",
  ];
}

export const QUEUE_FILTERS = {
  stage,
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
