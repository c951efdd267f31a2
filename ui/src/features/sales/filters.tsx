// The filters of the lists of sales, and the gateway's query of them.
import { parseAsString } from "nuqs";
import { useBusiness, useTimeZone } from "../../api/session";
import { DateRange, type Period } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { saleChoices, saleParsers, saleQuery } from "../../components/saleFilters";
import { TerminalSelect } from "../../components/TerminalSelect";
import {
  type Chosen,
  choice,
  company,
  type Filter,
  periodText,
  search,
  single,
} from "../../components/table/filters";
import type { TimeZone } from "../../format/dates";
import { linksStrings } from "../../strings/pt-BR.links";
import { salesStrings } from "../../strings/pt-BR.sales";
import { statusQuery } from "./statusQuery";

const words = salesStrings.sales;

interface SalePeriod {
  period: Period | null;
  /** The zone of the period's days, if a link to the list set it; by default the user's zone counts. */
  zone: TimeZone | null;
}

const period: Filter<SalePeriod> = {
  parsers: () => ({ start: saleParsers.start, end: saleParsers.end, time_zone: parseAsString }),
  valueOf: ({ start, end, time_zone }) => ({
    period: start && end ? ({ start, end } as Period) : null,
    zone: time_zone as TimeZone | null,
  }),
  keptOf: (value) => ({
    start: value?.period?.start ?? null,
    end: value?.period?.end ?? null,
    time_zone: value?.zone ?? null,
  }),
  restricts: (value) => value.period !== null,
  field: ({ value, onChange }) => (
    <DateRange
      value={value.period}
      onChange={(next) => onChange({ ...value, period: next })}
      {...(value.zone && { zone: value.zone })}
    />
  ),
  text: ({ period }) => periodText(period),
};

/** A filter that a report's link to its sales sets in the address. The user can see and remove it. */
function fromReport(
  label: string,
  placeholder: string,
  nameOf: (value: string) => string,
): Filter<string | null> {
  return single<string | null>(
    parseAsString,
    ({ value, onChange }) =>
      value && (
        <FilterSelect<string>
          label={label}
          placeholder={placeholder}
          options={{ [value]: nameOf(value) }}
          value={value}
          onChange={onChange}
        />
      ),
    (value) => value && `${label}: ${nameOf(value)}`,
  );
}

/** The event of a sale that the period restricts. Reports use it in links to the sales behind their figures. */
const by = choice(words.byLabel, words.allFeminine, words.by);
const common = {
  paymentType: choice(words.paymentType, words.all, saleChoices.paymentType),
  brand: choice(words.brand, words.allFeminine, saleChoices.brand),
  period,
  by: { ...by, field: (props: Parameters<typeof by.field>[0]) => props.value && by.field(props) },
};
/** The whole name of a payment, as a receipt or a bank shows it. */
const name = search(words.name, words.nameHint, { isWide: true });
const status = choice(words.status, words.all, words.statusGroups);
const solution = choice(words.solution, words.allFeminine, saleChoices.solution);
const terminal = fromReport(words.terminal, words.allFeminine, (value) =>
  value === "any" ? words.anyTerminal : words.chosenTerminal,
);

export const FILTERS = {
  status,
  solution,
  ...common,
  name,
  terminal,
  link: fromReport(words.link, words.all, (code) => code),
};

export const STAFF_FILTERS = { business: company(words.business, words.anyBusiness), ...FILTERS };

export const LINK_FILTERS = {
  link: search(linksStrings.sales.code, linksStrings.sales.codeHint, { isUpperCase: true }),
  status,
  ...common,
  name,
};

export const MACHINE_FILTERS = {
  terminal: single<string | null>(
    parseAsString,
    (props) => <OwnTerminalField {...props} />,
    () => words.chosenTerminal,
  ),
  status,
  ...common,
  name,
};

function OwnTerminalField(props: { value: string | null; onChange: (id: string | null) => void }) {
  return <TerminalSelect businessId={useBusiness().id} {...props} />;
}

export type SellerFilters = typeof FILTERS | typeof LINK_FILTERS | typeof MACHINE_FILTERS;

const NONE = { business: null, solution: null, terminal: null, link: null };

export type ChosenSales = Omit<Chosen<typeof STAFF_FILTERS>, keyof typeof NONE> &
  Partial<Pick<Chosen<typeof STAFF_FILTERS>, keyof typeof NONE>>;

/** The query of the chosen filters. */
export function useSaleQuery() {
  const userZone = useTimeZone();
  return ({ status, by, period: { period, zone }, ...chosen }: ChosenSales) => ({
    ...saleQuery({ ...NONE, ...chosen }),
    ...(status && { status: statusQuery(by, status) }),
    ...(by && { by }),
    ...(period && { ...period, time_zone: zone ?? userZone }),
  });
}
