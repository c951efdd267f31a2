// The filters of a list of sales: their keys in the address, and the gateway's query.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { parseAsPeriodEnd } from "../../components/table/listState";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { salesStrings } from "../../strings/pt-BR.sales";

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];

/** The brands that the platform accepts. Maestro and Visa Electron are no longer accepted. */
const FILTER_BRANDS = [
  "visa",
  "mastercard",
  "elo",
  "amex",
  "hipercard",
  "hiper",
  "diners",
  "discover",
  "aura",
  "banes",
  "jcb",
  "cabal",
  "credtodos",
  "goodcard",
] as const;

export const choices = {
  status: salesStrings.sales.statusGroups,
  solution: paymentStrings.payment.solutions,
  paymentType: paymentStrings.payment.types,
  brand: Object.fromEntries(
    FILTER_BRANDS.map((brand) => [brand, paymentStrings.payment.brands[brand]]),
  ) as Record<(typeof FILTER_BRANDS)[number], string>,
};

const parsers = {
  status: parseAsStringLiteral(keysOf(choices.status)),
  solution: parseAsStringLiteral(Object.keys(choices.solution) as `${keyof typeof choices.solution}`[]),
  paymentType: parseAsStringLiteral(keysOf(choices.paymentType)),
  brand: parseAsStringLiteral(FILTER_BRANDS),
  // For staff, who see all companies. A seller's reads name the company themselves.
  business: parseAsString,
  // For sellers, in the list of one solution.
  terminal: parseAsString,
  link: parseAsString,
  start: parseAsPeriodEnd,
  end: parseAsPeriodEnd,
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useSaleFilters() {
  const zone = useTimeZone();
  const [{ page: _, start, end, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const { status, solution, paymentType, brand, business, terminal, link } = chosen;
  const period: Period | null = start && end ? { start, end } : null;
  const change = (next: Partial<typeof chosen>) => set({ ...next, page: null });
  return {
    ...chosen,
    period,
    any: Object.values(chosen).some((value) => value !== null) || period !== null,
    change,
    changePeriod: (next: Period | null) =>
      set({ start: next?.start ?? null, end: next?.end ?? null, page: null }),
    clear: () => set(null),
    query: {
      ...(status && { status }),
      ...(solution && { solution: Number(solution) }),
      ...(paymentType && { paymentType }),
      ...(brand && { brand }),
      ...(business && { business_id: business }),
      ...(terminal && { terminal }),
      ...(link && { payment_link: link }),
      ...(period && { ...period, time_zone: zone }),
    },
  };
}

export type SaleFilters = ReturnType<typeof useSaleFilters>;
